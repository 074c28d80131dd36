import type { ErrorCode, Outcome, Phase, RetryStopped } from './errors.js';

/**
 * What `onEvent` is told. Addresses in it are origin and path only, or what `redactUrl` makes of these; there is no query
 * string, header, body or token in any event.
 *
 * @example
 * const api = createClient({
 *   name: 'shop',
 *   onEvent(event) {
 *     if (event.type === 'retry') console.debug(`${event.dependency}: again in ${event.waitMs} ms after ${event.code}`);
 *   },
 * });
 */
export type SteadfetchEvent =
  | CallStartEvent
  | QueuedEvent
  | AttemptStartEvent
  | AttemptEndEvent
  | RetryEvent
  | RefreshEvent
  | CircuitChangeEvent
  | CallEndEvent;

/** What every event says. */
export interface EventBase {
  /** The call's number; the same in all its events and in `callInfo(response)`. */
  readonly callId: number;
  /** The client's `name`. */
  readonly dependency: string;
  /** The call's `operation`. */
  readonly operation: string;
  /** Where the call is; undefined where it ends before it began, for a wrong option. */
  readonly phase: Phase | undefined;
  /** The current attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** Since the call was asked for, in milliseconds. */
  readonly elapsedMs: number;
  /** What is left of `totalTimeout`, in milliseconds; null if there is no limit. */
  readonly remainingMs: number | null;
}

/** A call begins. */
export interface CallStartEvent extends EventBase {
  readonly type: 'call-start';
  readonly method: string;
  /** Origin and path, or what `redactUrl` makes of them. */
  readonly url: string;
  /** Reserved for calls that do not begin with the network. */
  readonly via: 'network';
}

/** An attempt has to wait for a slot of the client's `queue`. It ends with an `attempt-start`, or with the call. */
export interface QueuedEvent extends EventBase {
  readonly type: 'queued';
}

/** An attempt is sent. */
export interface AttemptStartEvent extends EventBase {
  readonly type: 'attempt-start';
  /** There if it takes part in the request of another call (`dedupe`). */
  readonly shared?: true | undefined;
}

/** An attempt is over: its headers decided it, or it failed. */
export interface AttemptEndEvent extends EventBase {
  readonly type: 'attempt-end';
  /** Whether the server may have acted on it. */
  readonly outcome: Outcome;
  /** How it failed; absent if it did not. */
  readonly code?: ErrorCode | undefined;
  /** Its status, if headers came. */
  readonly status?: number | undefined;
  /** Its dispatch, in milliseconds since the start of the call. */
  readonly startMs: number;
  /** How long it took, in milliseconds. */
  readonly attemptMs: number;
  /** How long its response headers took, in milliseconds since its dispatch; absent if none came. */
  readonly headersMs?: number | undefined;
  /** Whether it was the extra send after a token refresh. */
  readonly resend: boolean;
  /**
   * With `timings: true`: where the time went, as far as Resource Timing says. Absent where it says nothing, for instance of
   * another origin that sends no `Timing-Allow-Origin`, of a lost connection, or for a `fetch` of your own.
   */
  readonly timings?: AttemptTimings | undefined;
}

/**
 * Where the time of an attempt went, in milliseconds (W3C Resource Timing). Together the parts are the time from the call of
 * fetch, or from its last redirect, to the end of the body. Undefined: the platform does not say. Node says nothing of
 * connections.
 */
export interface AttemptTimings {
  /**
   * Before the request was sent, without name lookup and connection: mostly the wait for one of the browser's connections,
   * of which there are six for a host over HTTP/1.1; also a CORS preflight, and the start of a service worker.
   */
  readonly stalled: number;
  /** The name lookup; 0 on a connection that was there already. */
  readonly dns: number;
  /** The connection, without TLS; 0 on one that was there already. */
  readonly connect: number;
  /** The TLS handshake; 0 without one. */
  readonly tls: number;
  /** From the request to the first byte of the response: the server, and one way there and back. */
  readonly request: number | undefined;
  /** From there to the end of the body. */
  readonly response: number | undefined;
}

/** A retry was decided; the wait begins. */
export interface RetryEvent extends EventBase {
  readonly type: 'retry';
  /** The retry's number, from 1. */
  readonly retryCount: number;
  /** The wait before it, in milliseconds. */
  readonly waitMs: number;
  /** What is being retried. */
  readonly code: ErrorCode;
}

/**
 * A token refresh is over: with `auth`. Told once, with one of the calls that wait for it, to each observer that has such calls.
 * A token that another tab has refreshed is no refresh.
 */
export interface RefreshEvent extends EventBase {
  readonly type: 'refresh';
  /** Whether it went well. */
  readonly ok: boolean;
  /** How long `refreshToken` took, in milliseconds. */
  readonly refreshMs: number;
}

/** The circuit of a call opens, lets a probe through, or closes: with a `circuitBreaker`. */
export interface CircuitChangeEvent extends EventBase {
  readonly type: 'circuit-change';
  /** Which one: the origin, or what `circuitBreaker.key` gave. */
  readonly circuit: string;
  /** What it does from now on: 'closed' lets requests through, 'open' none, 'half-open' one as a probe. */
  readonly state: 'closed' | 'open' | 'half-open';
}

/** A call is over, its body included. */
export interface CallEndEvent extends EventBase {
  readonly type: 'call-end';
  /** Whether it went well. */
  readonly ok: boolean;
  readonly code?: ErrorCode | undefined;
  readonly status?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly retryStopped?: RetryStopped | undefined;
  /** How many attempts were sent. */
  readonly attempts: number;
}
