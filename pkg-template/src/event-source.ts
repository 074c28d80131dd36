// Connects event streams, reads them as they are asked for, and connects them again: `api.events`. When is said by core/src/sse/reconnect.rs, of
// which `judge` and the wait are twins. Each connection is a call like any other, so limits, auth, circuits and observers hold for it.

import type { CallState } from './call-state.js';
import type { Config, View } from './config.js';
import type { EventsOptions, ServerSentEvent } from '../server-sent-events.js';
import type { ErrorInfo } from '../errors.js';

import { BODY_END, RETRY_BACKOFF_LIMIT_SLOT, RETRY_DELAY_SLOT, RETRY_LIMIT_SLOT, RETRY_MAX_RETRY_AFTER_SLOT } from './protocol.js';
import { provided } from './provided.js';
import { SseParser } from './sse-parser.js';

const MAX_EVENT_BYTES = 1 << 20;
const IDLE_TIMEOUT = 45_000;
const LONGEST = 2 ** 31 - 1;
const nothing = (): void => {};

/** What is being waited for, and how the wait ends when the caller leaves. */
interface Source {
  isOver_: boolean;
  leave_: () => void;
}

/** The iterator of a stream. It connects when the first event is asked for. */
export function openEvents(view: View, input: unknown, options: EventsOptions): AsyncIterator<ServerSentEvent, undefined> {
  const source: Source = { isOver_: false, leave_: nothing };
  const events = run(source, view, input, options);
  return {
    next: () => events.next(),
    return() {
      // A generator hears of it when it is at a `yield`: what it waits for has to end.
      source.isOver_ = true;
      source.leave_();
      return events.return(undefined);
    },
  };
}

async function* run(source: Source, view: View, input: unknown, options: EventsOptions): AsyncGenerator<ServerSentEvent, undefined> {
  const { reconnect, maxEventBytes = MAX_EVENT_BYTES, lastEventId = '', ...rest } = options;
  check('reconnect', reconnect, reconnect === undefined || typeof reconnect === 'boolean', 'a boolean');
  check('maxEventBytes', maxEventBytes, maxEventBytes === false || (typeof maxEventBytes === 'number' && maxEventBytes >= 1), '1 or more, or false');
  check('lastEventId', lastEventId, typeof lastEventId === 'string' && !/[\0\r\n]/.test(lastEventId), 'a string without NUL, CR and LF');
  const started = performance.now();
  const { totalTimeout: total = false } = rest;
  let id = lastEventId;
  let floor = 0;
  let failures = 0;
  let key: unknown;
  while (!source.isOver_) {
    const left = typeof total === 'number' && failures ? Math.max(1, started + total - performance.now()) : total;
    const call = connect(viewFor(view, id), input, { ...rest, totalTimeout: left, ...(key ? { idempotencyKey: key as string } : {}) });
    const { call_: state } = call;
    const reader = call.stream().getReader();
    source.leave_ = () => void reader.cancel().catch(nothing);
    let error: unknown;
    try {
      const response = await call;
      if (response.status === 204) return;
      if (!/^text\/event-stream *(;|$)/i.test(response.headers.get('content-type') ?? '')) {
        throw failed(state, 'UNEXPECTED_RESPONSE', 'the content type is not text/event-stream');
      }
      const parser = new SseParser(maxEventBytes || Infinity, id);
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const events = parser.push_(value);
        id = parser.lastId_;
        floor = parser.lastRetry_ ?? floor;
        for (const event of events) {
          failures = 0;
          yield event;
        }
        if (parser.isTooLarge_) throw failed(state, 'RESPONSE_TOO_LARGE', `maxEventBytes ${maxEventBytes}`);
      }
    } catch (thrown) {
      error = thrown;
    } finally {
      // Leaving the loop aborts the connection.
      source.leave_();
    }
    if (source.isOver_) return;
    const { config_: config } = state;
    key = state.isKeyed_;
    const asked = judge(state, error, reconnect ?? (state.method_ === 'GET' || !!key));
    if (asked === undefined) return;
    failures++;
    const bound = Math.min(config.slots_[RETRY_BACKOFF_LIMIT_SLOT]!, (await delayOf(config, failures)) * 2 ** (failures - 1));
    const wait = Math.max(floor, asked) + Math.ceil(Math.random() * bound);
    // A wait that does not fit is not slept for.
    if (error !== undefined && wait >= state.timeLeft_()) throw error;
    await pause(source, state, wait);
  }
  return undefined;
}

function check(name: string, value: unknown, isGood: boolean, expected: string): void {
  if (!isGood) throw provided.errorWithoutCall_(provided.refusal_(`${name}: must be ${expected}, got ${provided.shown_(value)}`));
}

/** The client as a stream sees it: its headers around those of the client, and no slot of the queue, which it would hold for ever. */
function viewFor(view: View, id: string): View {
  // Headers have bytes; that of an EventSource is UTF-8 too.
  const last = id && { 'last-event-id': String.fromCharCode(...new TextEncoder().encode(id)) };
  const { config_: config } = view;
  const headers = [{ accept: 'text/event-stream' }, ...config.headers, ...(last ? [last] : [])];
  return { ...view, parent_: view, signal_: undefined, isFailFast_: false, config_: { ...config, headers, shared_: { ...config.shared_, queue: 0 } } };
}

/** Begins the call of one connection. */
function connect(view: View, input: unknown, options: EventsOptions) {
  const { method, ...rest } = options;
  const promise = provided.shortcut_(view, undefined, input, { ...rest, ...(method === undefined ? {} : { method }), idleTimeout: options.idleTimeout ?? IDLE_TIMEOUT });
  const { call_: call } = promise as unknown as { call_: CallState };
  // Retries are what this module is for, and `timeout` ends with the headers.
  const slots = call.config_.slots_.slice();
  slots[RETRY_LIMIT_SLOT] = 0;
  call.config_ = { ...call.config_, slots_: slots, timeoutGiven_: 0 };
  return Object.assign(promise, { call_: call });
}

/** Ends a connection for what it carries. */
function failed(call: CallState, name: ErrorInfo['code'], details: string): unknown {
  const code = provided.codes_.indexOf(name!);
  call.failureDetails_ = { details_: details };
  call.event_(BODY_END, code);
  return call.hasFailed_ ? call.failure_ : provided.lateError_(call, code);
}

/**
 * Judges how a connection ended.
 * @returns the least wait before the next; undefined: the stream ends
 * @throws the error of the connection, if the next would meet it too
 */
function judge(call: CallState, error: unknown, reconnects: boolean): number | undefined {
  if (error === undefined) return reconnects ? 0 : undefined;
  const { code, status = 0, retryAfterMs = 0 } = (provided.errorInfo_(error) ?? {}) as { code?: string; status?: number; retryAfterMs?: number };
  const isLost = code === 'NETWORK_ERROR' || code === 'TIMEOUT' || code === 'CIRCUIT_OPEN' || (code === 'HTTP_ERROR' && status >= 500);
  // The server answered a write, but how far it came is not known.
  if (isLost && code !== 'HTTP_ERROR' && call.info_ && !provided.isIdempotent_(call)) (error as { outcome: string }).outcome = 'unknown';
  if (!reconnects || !isLost || retryAfterMs > call.config_.slots_[RETRY_MAX_RETRY_AFTER_SLOT]!) throw error;
  return retryAfterMs;
}

async function delayOf({ 'retry.delay': delay, slots_: slots }: Config, failures: number): Promise<number> {
  return typeof delay === 'function' ? delay(failures) : slots[RETRY_DELAY_SLOT]!;
}

/** Waits before the next connection, unless the caller, the client or the deadline ends the stream. */
const pause = (source: Source, call: CallState, wait: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(leave, Math.min(wait, LONGEST));
    // What is aborted already fails before there is anything to stop.
    let stop = nothing;
    stop = provided.afterCall_(call, 0, (code, limit) => {
      clearTimeout(timer);
      reject(provided.errorOf_(call, { code_: code, fields_: { phase: 'backoff', outcome: 'answered', attempts: [], elapsedMs: call.elapsed_(), limit } }));
    });
    source.leave_ = leave;
  });
