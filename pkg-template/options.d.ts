import type { AuthOptions } from './auth.js';
import type { SteadfetchError } from './errors.js';
import type { SteadfetchEvent } from './events.js';
import type { Hooks } from './hooks.js';
import type { BodySource, Bytes, HeadersSource, Loose, RuntimeInit } from './platform.js';
import type { CircuitBreakerOptions, DeadlineHeader, QueueOptions, RequestInfo, RetryBudgetOptions } from './protection.js';
import type { RetryOptions } from './retry.js';

/** How to ask what became of a lost write: see `outcomeLookup`. */
export interface OutcomeLookupOptions {
  /**
   * The URL to GET, by the key as it was sent: that of 'auto' has quotation marks. It goes through the same client, token and
   * queue, without retries. If it throws, or returns no string, the call fails with CALLBACK_ERROR.
   *
   * @default required
   */
  url: (key: string) => string;
  /**
   * What a response of that URL says. It receives a copy, and may read its body. By default 2xx means 'done', 202 'pending' and
   * 404 'not-found'. All else, and a lookup that fails, counts as 'pending'. If it throws, or returns anything else, the call
   * fails with CALLBACK_ERROR.
   *
   * @default by status
   */
  interpret?: ((response: Response) => LookupFinding | Promise<LookupFinding>) | undefined;
  /** Milliseconds between two lookups. The first is made at once. @default 1000 */
  interval?: number | undefined;
  /** The most lookups for one attempt. @default 5 */
  limit?: number | undefined;
  /** After 'not-found': true retries the write, by the rules of `retry`; false looks again, since the write may still arrive. @default false */
  resendIfNotFound?: boolean | undefined;
}

/** What a lookup found out about a write. */
export type LookupFinding = 'done' | 'pending' | 'not-found' | 'failed';

/** What `headers` takes: everything that fetch takes, and `undefined` values, which remove a header. */
export type HeadersInput = HeadersSource | Readonly<Record<string, string | undefined>>;

/** A value of `searchParams` and `form`. A Date is sent as its ISO text; null and undefined are left out. */
export type ParamValue = string | number | boolean | bigint | Date | URL | null | undefined;

/** An object of your own. TypeScript sees no values in an interface or a class: they are checked when the call is made. */
type ParamObject = object & { hasOwnProperty(name: PropertyKey): boolean; readonly [Symbol.iterator]?: never };

/**
 * What `form` takes: an object, pairs of name and value, a URLSearchParams, a Map. A list repeats its name. Any other value, such
 * as a nested object, is INVALID_OPTION.
 */
export type FormInput =
  | Readonly<Record<string, ParamValue | readonly ParamValue[]>>
  | Iterable<readonly [string, ParamValue | readonly ParamValue[]]>
  | ParamObject;

/** What `searchParams` takes: a query as text, which is sent as it is, or what `form` takes. */
export type SearchParamsInput = string | FormInput;

/** How much of a body has come. */
export interface DownloadProgress {
  /** From 0 to 1; 0 while the total is not known. */
  readonly percent: number;
  readonly transferredBytes: number;
  /** By Content-Length; 0 if it is not known, as for a compressed body. */
  readonly totalBytes: number;
}

/** The time limits, in milliseconds. Each may be late (a page in the background), none is ever early. */
export interface TimeOptions {
  /**
   * One attempt, from dispatch to the end of its body: milliseconds, 1 or more; false or Infinity: no limit. Passing it
   * is TIMEOUT, phase 'headers' or 'body'.
   *
   * @default 10000, api.fetch: false
   */
  timeout?: number | false | undefined;
  /**
   * One attempt, until its response headers: milliseconds, 1 or more; false or Infinity: no limit. Passing it is TIMEOUT,
   * phase 'headers'.
   *
   * @default false
   */
  headersTimeout?: number | false | undefined;
  /**
   * From the headers to the first read of the body, and each pending read: milliseconds, 1 or more; false or Infinity: no
   * limit. Passing it is TIMEOUT, phase 'idle'.
   *
   * @default 10000, api.fetch: 60000
   */
  idleTimeout?: number | false | undefined;
  /**
   * The whole call with loading, attempts, waits, callbacks and body: milliseconds, 1 or more; false or Infinity: no
   * limit. Passing it is DEADLINE_EXCEEDED, with the phase it was in.
   *
   * @default 30000, api.fetch: 300000
   */
  totalTimeout?: number | false | undefined;
  /**
   * No attempt starts with less of the total time left: milliseconds, 0 or more.
   *
   * @default 10
   */
  minAttemptTime?: number | undefined;
  /**
   * Kept back of the total time from every attempt: milliseconds, 0 or more.
   *
   * @default 0
   */
  reserve?: number | undefined;
}

/** The options that `createClient`, `extend` and each call take. */
export interface CommonOptions extends TimeOptions {
  /**
   * The most bytes a body may have, counted after decompression; false or Infinity: no limit. Passing it is
   * RESPONSE_TOO_LARGE. A Content-Length above it is refused before anything is read.
   *
   * @default false
   */
  maxResponseBytes?: number | false | undefined;
  /**
   * How failed attempts are repeated. A number replaces `limit` only; false means no retries; objects merge by key.
   *
   * @default {}
   */
  retry?: RetryOptions | number | false | undefined;
  /**
   * Sends the header `Idempotency-Key` with POST and PATCH, the same for every attempt of a call, and allows their retries: the
   * server has to know the key. 'auto': 128 random bits for each call; a string: this very text, which should come from one
   * call; a function: called once for each call. An `Idempotency-Key` among the caller's own headers is sent instead. On a client
   * it is skipped for other methods; on a call of another method it is INVALID_OPTION. If a function throws, or returns no
   * text that a header can have, the call fails with CALLBACK_ERROR.
   *
   * 409 to a retry means that the server is still busy with an earlier attempt: it is waited for and retried, within
   * `retry.limit`. 409 to a first attempt is HTTP_ERROR with `hint: 'in-progress'`.
   *
   * @default undefined
   * @see draft-ietf-httpapi-idempotency-key-header
   * @example const made = await api.post('orders', { json: order, idempotencyKey: 'auto' }).json<Order>();
   */
  idempotencyKey?: 'auto' | (string & {}) | ((request: RequestInfo) => string) | undefined;
  /**
   * How to ask the server what became of a write with an idempotency key when an attempt of it was lost: with outcome `unknown`,
   * before any retry. If the write is done, the call resolves with the response of the lookup, and `callInfo(response).via` is
   * 'lookup'. If it has failed, or `limit` lookups were no answer, the call fails with the error of the attempt. An object
   * replaces that of the client; false: no lookups.
   *
   * @default undefined
   * @example createClient({ idempotencyKey: 'auto', outcomeLookup: { url: (key) => `operations/${encodeURIComponent(key)}` } })
   */
  outcomeLookup?: OutcomeLookupOptions | false | undefined;
  /**
   * The name of a request header that tells the server how many milliseconds it has: what is left of the total time, less
   * `reserve`, when the attempt is sent. A duration, since clocks differ. Not sent to other origins than the page's
   * (without a page: that of `baseUrl`) unless you say so: it costs them a CORS preflight.
   *
   * @default undefined
   * @example createClient({ deadlineHeader: 'X-Request-Timeout-Ms' })
   */
  deadlineHeader?: string | DeadlineHeader | undefined;
  /**
   * Request headers, or a function that gives them, asked once per call. Merged by name; undefined removes one.
   * Later changes of the object have no effect.
   *
   * @default {}
   * @example api.extend({ headers: { Accept: 'application/json', 'X-Old': undefined } })
   */
  headers?: HeadersInput | (() => HeadersInput | Promise<HeadersInput>) | undefined;
  /**
   * Appended to the URL's query, whose text stays as it is. A list repeats its name; null and undefined are left out.
   *
   * @default undefined
   */
  searchParams?: SearchParamsInput | undefined;
  /**
   * Whether a status of 400 or above rejects a shortcut with HTTP_ERROR; a function is asked for the status. `api.fetch`
   * always resolves, as fetch does. Statuses in `retry.statusCodes` are retried all the same: the last response is then what
   * the call resolves with.
   *
   * @default true
   */
  throwHttpErrors?: boolean | ((status: number) => boolean) | undefined;
  /**
   * Your code at four moments of a call. Lists append to those of the client; undefined in place of a list removes them.
   *
   * @default {}
   */
  hooks?: Hooks | undefined;
  /**
   * Reads the text of a JSON body in place of `JSON.parse`, that of an error's body too. A SyntaxError that it throws is
   * PARSE_ERROR, anything else CALLBACK_ERROR.
   *
   * @default JSON.parse
   * @example createClient({ parseJson: (text) => JSONBig.parse(text) })
   */
  parseJson?: ((text: string) => unknown) | undefined;
  /**
   * Writes the text of `json` in place of `JSON.stringify`. What it throws, or gives that is no string, is CALLBACK_ERROR.
   *
   * @default JSON.stringify
   */
  stringifyJson?: ((value: unknown) => string) | undefined;
  /**
   * Further members of fetch's init, by whatever name: those of a single runtime, or of a platform that is newer than this
   * version. A name that is an option of its own is INVALID_OPTION in here.
   *
   * @default {}
   * @example createClient({ init: { keepAliveTimeout: 5_000 } })
   */
  init?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Custom fetch implementation, of any library: its responses are read with the limits of the call. If it rejects, the call
   * fails with NETWORK_ERROR; if it throws a ReferenceError, SyntaxError or RangeError, or returns no response with a status,
   * with CALLBACK_ERROR, which is not retried.
   *
   * @default globalThis.fetch
   */
  fetch?: ((input: string | URL | Request, init?: RequestInit) => Promise<Response>) | undefined;
  /**
   * Told what happens. It can never fail a call: what it throws goes to `reportError`, else to the console.
   *
   * @default undefined
   */
  onEvent?: ((event: SteadfetchEvent) => void) | undefined;
  /**
   * Whether `attempt-end` says where the time went: in the browser's own queue, in the network, in the server. The platform
   * tells that a moment after the body has ended: until then, or until 100 ms after the end of an attempt of which nothing is
   * known, `attempt-end` and the later events of its call wait. The call itself does not.
   *
   * @default false
   */
  timings?: boolean | undefined;
  /**
   * Told of the headers, and of each chunk of the body. It can never fail a call. The chunk is the one that the reader gets:
   * do not change or transfer it, and copy what you keep.
   *
   * @default undefined
   * @example api.get('big.zip', { onDownloadProgress: ({ percent }) => bar.set(percent) }).blob()
   */
  onDownloadProgress?: ((progress: DownloadProgress, chunk?: Bytes) => void) | undefined;
  /**
   * Equal requests that are under way at the same time become one: true, or a function that gives a word for a request, or
   * false if it is not to be shared. For GET and HEAD through the shortcuts (not `.stream()`, `api.fetch` and keepalive). Each
   * caller keeps its own signal, limits, reader and error; the request ends with its last caller.
   *
   * Requests are equal if method, URL, all headers, `credentials`, `mode`, `cache`, `redirect` and all other members of their
   * init are, and the client, its `fetch` and its `auth`. A word takes the place of the URL and the headers, but for those that
   * say who asks (Authorization, Cookie). Calls join until the headers have come. Without effect beside `deadlineHeader`.
   * A function that throws, or gives anything else: CALLBACK_ERROR.
   *
   * @default false
   * @example createClient({ dedupe: true })
   * @example api.get('feed', { dedupe: ({ url }) => url }).json<Item[]>()  // whatever its headers are
   */
  dedupe?: boolean | ((request: RequestInfo) => string | false) | undefined;
}

/** What a client takes of fetch's own options. */
type ClientInit = Loose<Omit<RequestInit, 'body' | 'headers' | 'method' | 'signal' | 'window'>> & RuntimeInit;

/** What a call takes of fetch's own options. */
type CallInit = Loose<Omit<RequestInit, 'body' | 'headers'>> & RuntimeInit;

/** The options of `createClient` and `extend`. */
export interface ClientOptions extends CommonOptions, ClientInit {
  /**
   * What relative URLs are resolved against (WHATWG URL): a URL that begins with http:// or https://, or one that is relative to
   * the page. A missing slash at its end is added. Where there is no page, as on a server, a relative one makes its calls
   * INVALID_REQUEST, not `createClient`.
   *
   * @default the page's URL
   */
  baseUrl?: string | URL | undefined;
  /**
   * The name of the dependency: `dependency` of its events.
   *
   * @default ''
   */
  name?: string | undefined;
  /**
   * So many attempts at once for each origin, so many calls that wait; false: no queue. Errors QUEUE_FULL and
   * QUEUE_TIMEOUT, phase 'queue'. Shared by the views of a client, unless `extend` sets it anew. Downloads the full module.
   *
   * @default false
   * @example createClient({ queue: { concurrency: 6, limit: 50 } })
   */
  queue?: QueueOptions | false | undefined;
  /**
   * After enough failed calls in a row the calls to an origin fail at once; false: no circuit breaker. Error CIRCUIT_OPEN,
   * with `retryAfterMs`. Shared by the views of a client, unless `extend` sets it anew. Downloads the full module.
   *
   * @default false
   * @example createClient({ circuitBreaker: {} })
   */
  circuitBreaker?: CircuitBreakerOptions | false | undefined;
  /**
   * How many retries each origin gets, as a share of its traffic; false: as many as `retry.limit` says. Shared by the views
   * of a client, unless `extend` sets it anew.
   *
   * @default {}
   */
  retryBudget?: RetryBudgetOptions | false | undefined;
  /**
   * What events, errors and messages show of an address, for paths with secrets or personal data in them. It is given origin
   * and path, never the query, and returns a string. If it throws or gives anything else, the origin alone is shown, and the
   * mistake goes to `reportError`, else to the console.
   *
   * @default undefined
   * @example createClient({ redactUrl: (url) => url.replace(/\/invites\/[^/]+/, '/invites/*') })
   */
  redactUrl?: ((url: string) => string) | undefined;
  /**
   * A token on every call, and its refresh after a 401: once, for all clients that are given this very object; false: none.
   * Downloads the full module.
   *
   * @default false
   * @example createClient({ baseUrl: 'https://api.example.test/', auth: { getToken: () => session.token, refreshToken } })
   */
  auth?: AuthOptions | false | undefined;
}

/** The options of one call. */
export interface CallOptions extends CommonOptions, CallInit {
  /** The request body, or a function that makes a new one for each attempt: that is how a stream can be retried. */
  body?: BodySource | null | (() => BodySource | Promise<BodySource>) | undefined;
  /** false: without the token of the client, and its 401 is the answer. */
  auth?: false | undefined;
  /** What fetch asks for with a stream as body. The shortcuts set it themselves. */
  duplex?: 'half' | undefined;
  /**
   * true: this very endpoint may be sent the request twice; false: it may not, whatever its method.
   *
   * @default undefined
   * @example api.post('search', { json: query, idempotent: true }).json<Hit[]>()
   */
  idempotent?: boolean | undefined;
  /**
   * What the readers of a shortcut (`.json()`, `.result()`, ...; not `.stream()`) give in place of an error, except for ABORTED,
   * INVALID_OPTION, INVALID_REQUEST and CALLBACK_ERROR. The promise of the Response itself still rejects. Throwing is
   * CALLBACK_ERROR. It has what is left of `totalTimeout`, but 100 ms at least: the deadline may be what has failed. Then
   * DEADLINE_EXCEEDED in phase 'hook' takes the place of the error. Not for `api.fetch`.
   *
   * @default undefined
   * @example const prices = await api.get('prices', { fallback: () => lastPrices }).json<Prices>();
   */
  fallback?: ((error: SteadfetchError) => unknown) | undefined;
  /**
   * The name of the operation: `operation` of its events. For metrics, where a URL with ids in it is of no use.
   *
   * @default ''
   */
  operation?: string | undefined;
  /**
   * The request body, as JSON, with its Content-Type (RFC 8259), which replaces that of the client; one in the `headers` of the
   * call wins. Beside a Request it replaces body and type, not the other headers.
   *
   * @default undefined
   */
  json?: unknown;
  /**
   * The request body, as application/x-www-form-urlencoded, with its Content-Type (WHATWG URL), for which and beside a Request the
   * same holds as for `json`.
   *
   * @default undefined
   */
  form?: FormInput | undefined;
}

/**
 * The `init` of `api.fetch`: all of `RequestInit`, and the options of a call by their names. What neither knows is
 * passed on to fetch as it is (`next`, `cf`, `dispatcher`).
 */
export interface FetchOptions extends Omit<CallOptions, 'throwHttpErrors' | 'fallback'> {}
