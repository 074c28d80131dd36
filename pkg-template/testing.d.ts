/**
 * For tests of code that uses a client: a `fetch` that answers as it was told, a clock that stands still until it is told to go on, and a
 * recorder of events. It needs no test runner, and works with the fake timers of those that have some.
 *
 * @module steadfetch/testing
 */
import type { SteadfetchEvent } from './events.js';

/** How one request is answered, as data. */
export interface ReplyOptions {
  /** @default 200 */
  status?: number;
  statusText?: string;
  headers?: HeadersInit;
  /** The body, as JSON. It sets `content-type`, unless `headers` has one. */
  json?: unknown;
  /** The body. A reply that is given again is sent with the same one, so a stream serves once. */
  body?: BodyInit | null;
  /** The body in pieces, one for each read. */
  chunks?: readonly (string | Uint8Array)[];
  /** Milliseconds before each piece of `chunks`. @default 0 */
  gap?: number;
  /** Milliseconds until the headers come, or the connection breaks. @default 0 */
  delay?: number;
  /** How the body ends: `'complete'`; `'cut'`: the connection breaks after it; `'hang'`: nothing more comes. @default 'complete' */
  end?: 'complete' | 'cut' | 'hang';
  /** In place of a response. `'lost'`: the connection breaks, the server may have got the request; `'never'`: nothing comes at all. */
  fault?: 'lost' | 'never';
}

/** How one request is answered: its status alone, as data, by a Response (each request gets a copy), or by a function. */
export type Reply = number | ReplyOptions | Response | ((request: ScriptRequest) => Reply | Promise<Reply>);

/** A request that a script was sent: one attempt of a call. */
export interface ScriptRequest {
  /** From 1. */
  readonly number: number;
  readonly method: string;
  readonly url: string;
  /** The path and the query of `url`. */
  readonly path: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was given to `fetch`; the stream of a Request. */
  readonly body: BodyInit | null;
  readonly signal: AbortSignal | undefined;
  /** When it came, by `performance.now()`. */
  readonly time: number;
  /**
   * `'pending'` until there are headers; then the status, `'lost'`, or `'aborted'`. A body that is given up later changes nothing.
   */
  readonly outcome: 'pending' | 'lost' | 'aborted' | number;
  /** The body as text. A stream can be read once, by this or by the reply. */
  text(): Promise<string>;
  /** The body, parsed. */
  json<T = unknown>(): Promise<T>;
}

/** A `fetch` that answers as it was told. */
export interface Script {
  /** Give it to a client, or put it in the place of `globalThis.fetch`. It needs no `this`. */
  readonly fetch: typeof globalThis.fetch;
  /** Every request so far, each attempt by itself. */
  readonly requests: readonly ScriptRequest[];
  /** Answers the next requests that no route is for, one reply each. */
  reply(...replies: Reply[]): Script;
  /**
   * Answers the requests of a route, one reply each, and the last reply again and again. The route that was added last is asked first.
   *
   * @param route A path, or a URL with its origin, after a method if only that one is meant. `*` stands for any characters. A route
   *   without a query is for every query.
   * @example
   * script.route('GET /users/*', { status: 503 }, { json: { name: 'Ada' } });
   */
  route(route: string, ...replies: Reply[]): Script;
  /** Answers what neither a route nor a reply is left for. Without it such a request is a mistake: CALLBACK_ERROR, and no retry. */
  otherwise(reply: Reply): Script;
  /** Throws an Error that names them if replies are left over, or routes that nothing asked for, or requests that nothing answered. */
  assertDone(): void;
  /** Forgets replies, routes and requests. */
  reset(): void;
}

/**
 * Makes a `fetch` that answers as it is told.
 *
 * @throws {TypeError} from `reply`, `route` and `otherwise`: the reply is none, or has an unknown member.
 * @example
 * const script = createScript();
 * script.reply({ fault: 'lost' }, { json: { name: 'Ada' } });
 * const api = createClient({ baseUrl: 'https://api.test/', fetch: script.fetch });
 * await api.get('users/1').json();
 * script.requests.length; // 2
 */
export declare function createScript(): Script;

/** Time that stands still until it is told to go on. */
export interface TestClock {
  /** Milliseconds, as `performance.now()` tells them. */
  now(): number;
  /** How many timers are set. */
  readonly pending: number;
  /** Goes on by so many milliseconds. Timers fire at their own time; what they start runs before the next one fires. */
  advance(milliseconds: number): Promise<void>;
  /**
   * Goes on from timer to timer until the promise has settled, and settles like it.
   *
   * @param limit Milliseconds of virtual time. @default 3_600_000 (an hour)
   * @throws {Error} no timer is set, and for 5 real seconds nothing else settled the promise; or the limit is over.
   */
  settle<T>(promise: PromiseLike<T>, limit?: number): Promise<T>;
  /** Gives back the real timers, `performance.now` and `Date`. Timers that are still set never fire: end what waits for them before. */
  restore(): void;
  [Symbol.dispose](): void;
}

/**
 * Takes the place of `setTimeout`, `setInterval`, `clearTimeout`, `clearInterval`, `performance.now` and `Date` of this realm. Promises,
 * streams and the network go on in real time. A client that loads a part of the package meanwhile does so in real time too: await
 * `ready()` first where that is so.
 *
 * @param options `now`: what `Date.now()` tells at the start. @default the real time
 * @throws {Error} another clock is not restored yet.
 * @example
 * const clock = createClock();
 * try {
 *   const error = await clock.settle(api.get('slow').json().catch((error) => error));
 *   error.code; // 'TIMEOUT'
 * } finally {
 *   clock.restore();
 * }
 */
export declare function createClock(options?: { now?: number | Date }): TestClock;

/**
 * Makes `performance.now` go with `Date`, for fake timers that fake `Date` but not `performance`, as those of `node:test` do. Call it
 * after they are enabled.
 *
 * @returns Gives back the real `performance.now`.
 * @example
 * mock.timers.enable({ apis: ['setTimeout', 'Date'] });
 * const restore = followDate();
 */
export declare function followDate(): () => void;

/** Keeps the events of clients. */
export interface EventRecorder {
  /** Give it to a client. */
  readonly onEvent: (event: SteadfetchEvent) => void;
  readonly events: readonly SteadfetchEvent[];
  /** The events of one type. */
  of<T extends SteadfetchEvent['type']>(type: T): Extract<SteadfetchEvent, { type: T }>[];
  /**
   * What happened, a line for each event: its type, `#` with the attempt where there is one, and the error code or the status. No times.
   *
   * @example
   * ['call-start', 'attempt-start #1', 'attempt-end #1 NETWORK_ERROR', 'retry #1 NETWORK_ERROR', 'attempt-start #2', 'attempt-end #2 200',
   *   'call-end #2 200'];
   */
  lines(): string[];
  reset(): void;
}

/**
 * Makes a recorder of events.
 *
 * @example
 * const recorder = createRecorder();
 * const api = createClient({ fetch: script.fetch, onEvent: recorder.onEvent });
 * recorder.of('retry').length;
 */
export declare function createRecorder(): EventRecorder;
