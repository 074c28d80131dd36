import type { CallOptions } from './options.js';

/** An event of a stream (HTML Standard, section 9.2). */
export interface ServerSentEvent {
  /** The type, from the `event` field; 'message' if the server gave none. */
  readonly event: string;
  /** The lines of data, joined by line feeds. */
  readonly data: string;
  /** The last event ID so far; '' if the server gave none. */
  readonly id: string;
  /** The reconnection time in milliseconds, if this event set one. */
  readonly retry?: number;
}

/**
 * The options of `api.events`: those of a call, and these. `timeout` covers each connection until its headers. `totalTimeout` holds only if it
 * is given here, for the life of the stream. Of `retry`, `delay`, `backoffLimit` and `maxRetryAfter` are used. A stream takes no slot of the
 * `queue`.
 */
export interface EventsOptions extends Omit<CallOptions, 'fallback'> {
  /**
   * The method of the request.
   *
   * @default 'GET'
   */
  method?: string | undefined;
  /**
   * Whether the stream connects again when its connection ends, is lost or is silent for `idleTimeout`. If false, the end of the response
   * ends the iteration, and a lost connection throws.
   *
   * @default true for GET and with an idempotency key, else false
   */
  reconnect?: boolean | undefined;
  /**
   * The most that one event may have: ASCII text in bytes, other text in UTF-16 code units; false: no limit. Passing it is RESPONSE_TOO_LARGE.
   *
   * @default 1048576
   */
  maxEventBytes?: number | false | undefined;
  /**
   * Sent as `Last-Event-ID` until an event has another.
   *
   * @default ''
   */
  lastEventId?: string | undefined;
  /**
   * The longest silence of the server, in milliseconds; comments end it. Passing it breaks the connection with TIMEOUT, phase 'idle'.
   *
   * @default 45000
   */
  idleTimeout?: number | false | undefined;
}
