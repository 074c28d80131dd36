// The JavaScript side of `dedupe`: tells the engine which requests are equal, and hands the answer of one request to all calls that share it.

import type { CallState, ReadyCall } from './call-state.js';
import type { Init } from './config.js';

import { provided } from './provided.js';
import { typeName } from './type-name.js';

/** Requests that are equal have one of these, for as long as there is a call that may send one. */
export interface Likeness {
  readonly text_: string;
  readonly number_: number;
  calls_: number;
}

/** A request that is out, and the calls that share it. */
export interface SharedRequest {
  readonly controller_: AbortController;
  /** The calls that wait for its answer, or read it. */
  readonly calls_: Set<CallState>;
  /** How many of those that came have not been given the answer. */
  waiting_: number;
  answer_?: Promise<Response>;
}

/** What stands for the abort controller of a call's own request. */
type Controller = Pick<AbortController, 'abort' | 'signal'>;

const READS = /^(GET|HEAD)$/;
/** Members of an init that say nothing about what is sent, or are looked at on their own. */
const APART = /^(method|headers|body|signal|duplex)$/;
/** Members of a Request that an init may leave to it. */
const MEMBERS = ['mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy', 'integrity'] as const;
/** Headers that say who asks: no function of the caller makes requests equal that differ in them. */
const IDENTITY = ['authorization', 'cookie', 'proxy-authorization'];

const likenesses = new Map<string, Likeness>();
let last = 0;

/** Numbers of objects, by which these are compared. */
const numbers = new WeakMap<object, number>();
let objects = 0;

/** A value as text: an object by its number, since two of them are never known to be equal. */
function shownValue(value: unknown): unknown {
  if (Object(value) !== value) return `${typeof value} ${String(value)}`;
  const object = value as object;
  if (!numbers.has(object)) numbers.set(object, ++objects);
  return numbers.get(object);
}

/** What requests are compared by; undefined if this one is shared with nobody. May throw what a callback throws. */
function textOf(call: ReadyCall): string | undefined {
  const { config_: config, init_: init, method_: method, url_: url, input_: input } = call;
  const { dedupe, fetch } = config;
  const request: Partial<Request> = typeof input === 'string' ? {} : input;
  const hasBody = init.body != null || call.bodyMaker_ || call.singleUseRequest_;
  // The deadline of one caller is not that of the others. An opaque answer needs the caller's own signals. A stream is read as it comes.
  const isAlone = call.isFetch_ || call.isStreaming_ || call.isKeepalive_ || config.deadlineHeader || (init.mode ?? request.mode) === 'no-cors';
  if (!dedupe || hasBody || isAlone || !READS.test(method)) return undefined;
  const headers = new Headers(init.headers ?? request.headers);
  const members: Record<string, unknown> = {};
  for (const name of MEMBERS) if (name in request) members[name] = shownValue(request[name]);
  for (const name of Object.keys(init).sort()) if (!APART.test(name)) members[name] = shownValue(init[name as keyof Init]);
  let own: unknown = [url, [...headers]];
  if (typeof dedupe === 'function') {
    own = dedupe({ url, method, headers: new Headers(headers), operation: config.operation });
    if (own === false) return undefined;
    if (typeof own !== 'string') throw new TypeError(`dedupe gave ${typeName(own)}`);
    own = [own, ...IDENTITY.map((name) => headers.get(name))];
  }
  return JSON.stringify([method, own, members, shownValue(config.counts_), shownValue(fetch), shownValue(config.auth_)]);
}

/** Gives a call the number of requests like its own, before each of its attempts. */
export function placeInFlight(call: ReadyCall): number {
  const text = textOf(call);
  if (call.likeness_?.text_ !== text) {
    releaseLikeness(call);
    if (text !== undefined) {
      if (!likenesses.has(text)) likenesses.set(text, { text_: text, number_: ++last, calls_: 0 });
      call.likeness_ = likenesses.get(text)!;
      call.likeness_.calls_++;
    }
  }
  return call.likeness_?.number_ ?? 0;
}

/** The call sends nothing more. */
export function releaseLikeness(call: CallState): void {
  const likeness = call.likeness_;
  call.likeness_ = undefined;
  if (likeness && !--likeness.calls_) likenesses.delete(likeness.text_);
}

/**
 * The attempt of a call becomes a request, or takes part in one that is out.
 * @param id of a call that has the request; NaN: there is none
 * @returns whether it takes part in that of another
 */
export function joinRequest(call: ReadyCall, id: number): boolean {
  const other = call.engine_!.calls_.get(id);
  // That one was not sent after all, if it was cancelled when its turn came.
  const theirs = other && other.request_?.calls_.has(other) ? other.request_ : undefined;
  const request = (call.request_ = theirs ?? { controller_: new AbortController(), calls_: new Set<CallState>(), waiting_: 0 });
  request.calls_.add(call);
  const controller: Controller = { signal: request.controller_.signal, abort: (reason) => leave(call, request, reason) };
  call.controller_ = controller as AbortController;
  return !!theirs;
}

/** A call gives its part in a request up. With the last one the request ends. */
function leave(call: CallState, request: SharedRequest, reason: unknown): void {
  if (!request.calls_.delete(call)) return;
  if (!request.calls_.size) return request.controller_.abort(reason);
  // The others read on. What nobody takes out of this copy would be kept for it.
  if (call.request_ !== request) return;
  if (call.reader_) call.reader_.cancel().catch(() => {});
  else provided.drop_(call.response_);
}

/** The answer of the request that a call has a part in: each call gets a response of its own. */
export function fetchShared(call: ReadyCall, send: () => unknown): Promise<Response | undefined> {
  const request = call.request_!;
  request.waiting_++;
  request.answer_ ??= provided.promised_(send) as Promise<Response>;
  return request.answer_.then(
    (response) => give(call, request, response),
    (error) => {
      request.calls_.delete(call);
      throw error;
    },
  );
}

function give(call: CallState, request: SharedRequest, response: Response): Response | undefined {
  const isLast = !--request.waiting_;
  if (!request.calls_.has(call)) {
    if (isLast) provided.drop_(response);
    return undefined;
  }
  try {
    return isLast ? response : response.clone();
  } catch (error) {
    // A custom fetch gave what cannot be given to several: that is a fault of its code, and no broken connection.
    return {
      get status(): number {
        throw error;
      },
    } as Response;
  }
}
