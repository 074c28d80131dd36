// The platform's own Response object, its body members covered by the limits of its call.
//
// One prototype between the object and its class costs a tenth of defining the members on each object, and keeps what a
// new Response would lose: the identity, `url`, `redirected`, `type`. A response of another implementation is covered in the
// same way; its own readers find its own members while they run.

import type { CallInfo } from '../response.js';
import type { CallState, How, ResponseState, Schema } from './call-state.js';

import { read } from './body.js';
import { safely } from './errors.js';
import { headerOf } from './response-head.js';
import { bodyIn, mark, newState, stateOf } from './native-body.js';
import { STREAMING } from './protocol.js';
import { streamOfBody } from './stream.js';

/** The covering prototype of each prototype that responses have had: one a realm or implementation. */
const covers = new WeakMap<object, object>();

/** Under this name a covered object returns itself, and a Proxy of one its target. */
const TARGET: unique symbol = Symbol();

/** A response that may be covered, or a Proxy of one. */
type Covering = Response & { readonly [TARGET]?: Response };

/** Whether a response was never covered, nor stands for one that was. */
export const isUntouched = (response: Covering): boolean => !stateOf(response) && !safely(() => response[TARGET]);

/** Puts a response under its call. */
export function cover(response: Covering, call: CallState, state: ResponseState = newState(response, call)): void {
  const before = stateOf(response);
  mark(response, state);
  try {
    if (before) takeOver(state, before);
    else putMembers(response, state);
    const target = response[TARGET];
    // The members that a Proxy hands out belong to its target.
    if (target !== response) takeTarget(response, state, target);
  } catch {
    // A response that is frozen, or a Proxy that throws, stays as it is. Nothing of ours may throw in here: it would go unnoticed.
  }
}

function putMembers(response: Response, state: ResponseState): void {
  const prototype = Object.getPrototypeOf(response);
  if ('text' in Object(prototype) && !Object.getOwnPropertyNames(response).some(isMember)) {
    let covering = covers.get(prototype);
    if (!covering) {
      covering = Object.create(prototype, membersOf(prototype, stateOf)) as object;
      // A Proxy of a covered response has it already.
      covers.set(prototype, covering).set(covering, covering);
    }
    state.original_ = prototype;
    Object.setPrototypeOf(response, covering);
  } else if (!(TARGET in response)) {
    const original = (state.original_ = Object.create(prototype, Object.getOwnPropertyDescriptors(response)));
    Object.defineProperties(response, membersOf(original, stateOf));
  }
}

function takeTarget(response: Response, state: ResponseState, target: Covering | undefined): void {
  if (target && target[TARGET] === target) {
    const before = stateOf(target);
    state.target_ = target;
    state.isProxy_ = true;
    if (before) takeOver(state, before);
    mark(target, state);
  } else {
    // A Proxy that hides it: its readers know nothing of ours.
    if (Object.getPrototypeOf(Object.getPrototypeOf(response)) === state.original_) Object.setPrototypeOf(response, state.original_);
    state.original_ = response;
  }
}

/** A custom fetch returned a response again. If another client has covered it, the limits of both hold. */
function takeOver(state: ResponseState, before: ResponseState): void {
  const { call_: call, original_: original } = before;
  state.original_ = call.isDone_ ? original : Object.create(original, membersOf(original, () => before));
}

const streamOf = (state: ResponseState): ReadableStream<Uint8Array<ArrayBuffer>> => (state.stream_ ??= streamOfBody(state.call_, state));

/** The members that read a body to its end. */
export const READERS: readonly How[] = ['json', 'text', 'bytes', 'arrayBuffer', 'blob', 'formData'];

const isMember = (name: string): boolean => /^(body|clone|stream|result)$/.test(name) || READERS.includes(name as How);

/** The members of a response that are covered, and those that it has not of itself. */
type Member = How | 'clone' | 'stream' | 'result';

/**
 * The members that cover those of `original`.
 * @param find gives the state of the response that a member is called on. Where
 * there is none, as for the target of a Proxy that hides it, the member is the original one.
 */
function membersOf(original: any, find: (response: Response) => ResponseState | undefined): PropertyDescriptorMap {
  const method = (name: Member, act: (state: ResponseState, response: Response, schema: Schema | undefined) => unknown): PropertyDescriptor => ({
    value(this: Response, schema?: Schema) {
      const state = find(this);
      // Original readers call each other.
      const isOwn = !state || (state.isBare_ && !this.bodyUsed);
      return isOwn ? original[name].call(state?.target_ ?? this, schema) : act(state, this, schema);
    },
    configurable: true,
    writable: true,
  });
  const members: PropertyDescriptorMap = {
    [TARGET]: {
      get(this: unknown) {
        return this;
      },
    },
    body: {
      get(this: Response) {
        const state = find(this);
        const body = state ? bodyIn(state) : Reflect.get(original, 'body', this);
        // A stream of Node, or none, is what it is.
        return state && !state.isBare_ && body?.getReader ? streamOf(state) : body;
      },
      configurable: true,
      enumerable: true,
    },
    clone: method('clone', clone),
    stream: method('stream', (state) => {
      state.call_.event_(STREAMING);
      return streamOf(state);
    }),
    result: method('result', (state, response, schema) => toResult(read(state, response, 'json', schema), () => response)),
  };
  for (const how of READERS) members[how] = method(how, (state, response, schema) => read(state, response, how, schema));
  return members;
}

function clone(state: ResponseState): Response {
  const { call_: call, original_: original, target_: target, stream_: body } = state;
  if (body?.locked) throw new TypeError('the body is locked');
  state.isBare_ = true;
  try {
    const copy: Response = original.clone.call(target);
    call.branches_++;
    cover(copy, call);
    return copy;
  } finally {
    state.isBare_ = false;
  }
}

/** Reads a response for a shortcut: a Proxy, or what is frozen, may show other members than ours. */
export const readBy = (response: Response, how: How, schema: Schema | undefined): Promise<unknown> => {
  const state = stateOf(response);
  return state ? read(state, response, how, schema) : (response[how] as (schema: unknown) => Promise<unknown>)(schema);
};

/** How a read went, as a value. */
export const toResult = (data: Promise<unknown>, responseOf: () => Response | undefined): Promise<object> =>
  data.then(
    (value) => ({ success: true, data: value, error: undefined, response: responseOf() }),
    (error) => ({ success: false, data: undefined, error, response: responseOf() ?? safely(() => error.response) }),
  );

/** The facts about the call behind a response. */
export function callInfo(response: Response): CallInfo | undefined {
  const call = stateOf(response)?.call_;
  // That of an error has none.
  if (!call?.info_) return undefined;
  const { attempts, elapsedMs, retryStopped } = call.info_;
  return {
    attempts,
    resent: call.resends_ > 0,
    via: call.via_,
    elapsedMs,
    ...(retryStopped && { retryStopped }),
    callId: call.callId_,
    requestId: headerOf(response, 'x-request-id'),
    serverTiming: headerOf(response, 'server-timing'),
  };
}
