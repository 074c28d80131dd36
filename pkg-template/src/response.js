// The platform's own Response object, its body members covered by the limits of its call.
//
// One prototype between the object and its class costs a tenth of defining the members on each object, and keeps what a
// new Response would lose: the identity, `url`, `redirected`, `type`. A response of another implementation is covered in the
// same way; its own readers find its own members while they run.

import { STREAMING } from './protocol.js';
import { safely } from './errors.js';
import { headerOf } from './head.js';
import { read } from './body.js';
import { guard } from './stream.js';

/** The covering prototype of each prototype that responses have had: one a realm or implementation. */
const covers = new WeakMap();

/** Under this name a covered object returns itself, and a Proxy of one its target. */
const TARGET = Symbol();

/** Gives back what it is given, so that the private fields of a class above it end up there. */
class Given {
  constructor(given) {
    return given;
  }
}

/**
 * What is known of a covered response, in a field on itself that nobody sees. A WeakMap would do too, but each collection
 * of garbage has to go through it: in Node that costs more than all else that is done for a call.
 */
class Covered extends Given {
  #state;

  static mark_(response, state) {
    // The constructed value is used: bundlers drop a `new` whose value is not.
    (#state in response ? response : new Covered(response)).#state = state;
  }

  static stateOf_(response) {
    return Object(response) === response && #state in response ? response.#state : undefined;
  }
}

/**
 * @property call_
 * @property original_ has the members as they were: a prototype, or an object with what the response had of its own
 * @property target_ the object that these are called on: the response, or the target of a Proxy
 * @property stream_ the covered body, once it was asked for
 * @property isBare_ whether an original reader runs, which may use other members of the response
 * @property isUsed_ whether the body was read piece by piece
 * @property isProxy_ whether the target is that of a Proxy
 * @property reader_ of the original body, once there is one
 */
export const stateOf = Covered.stateOf_;

/** What is known of a response at first: its members are its own. */
export const newState = (response, call) => ({ call_: call, original_: response, target_: response, stream_: undefined, isBare_: false, isUsed_: false, isProxy_: false, reader_: undefined });

/** Whether a response was never covered, nor stands for one that was. */
export const isUntouched = (response) => !stateOf(response) && !safely(() => response[TARGET]);

/** The response of a call, covered if nobody had asked for it before. */
export function coverLate(call) {
  const { response_: response, direct_: state } = call;
  call.direct_ = undefined;
  if (state) cover(response, call, state);
  return response;
}

/** Puts a response under its call. */
export function cover(response, call, state = newState(response, call)) {
  const before = stateOf(response);
  Covered.mark_(response, state);
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

function putMembers(response, state) {
  const prototype = Object.getPrototypeOf(response);
  if ('text' in Object(prototype) && !Object.getOwnPropertyNames(response).some(isMember)) {
    let covering = covers.get(prototype);
    if (!covering) {
      covering = Object.create(prototype, membersOf(prototype, stateOf));
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

function takeTarget(response, state, target) {
  if (target && target[TARGET] === target) {
    const before = stateOf(target);
    state.target_ = target;
    state.isProxy_ = true;
    if (before) takeOver(state, before);
    Covered.mark_(target, state);
  } else {
    // A Proxy that hides it: its readers know nothing of ours.
    if (Object.getPrototypeOf(Object.getPrototypeOf(response)) === state.original_) Object.setPrototypeOf(response, state.original_);
    state.original_ = response;
  }
}

/** A custom fetch returned a response again. If another client has covered it, the limits of both hold. */
function takeOver(state, before) {
  const { call_: call, original_: original } = before;
  state.original_ = call.isDone_ ? original : Object.create(original, membersOf(original, () => before));
}

/** The state of a response, covered or not. */
export const known = (response) => stateOf(response) ?? { original_: response, target_: response };

/** The body as it was before it was covered: undefined where responses have none, as those of old polyfills. */
export const bodyIn = ({ original_: original, target_: target }) => Reflect.get(original, 'body', target);
export const bodyOf = (response) => bodyIn(known(response)) ?? null;

/** Lets go of a body that nobody will read. */
export const drop = (response) => dropBody(known(response));

/** Cancels a stream, or what reads it. Whether it can be is its own business. */
export function cancelBody(stream, reason) {
  try {
    stream?.cancel?.(reason)?.catch(() => {});
  } catch {
    // Locked, or of the caller's making.
  }
}

export const dropBody = (state) =>
  safely(() => {
    const body = bodyIn(state);
    // That of Node.
    if (body?.destroy) body.destroy();
    else cancelBody(body);
  });

const streamOf = (state) => (state.stream_ ??= guard(state.call_, state));

/** The members that read a body to its end. */
export const READERS = ['json', 'text', 'bytes', 'arrayBuffer', 'blob', 'formData'];

const isMember = (name) => /^(body|clone|stream|result)$/.test(name) || READERS.includes(name);

/**
 * The members that cover those of `original`.
 * @param {(response: object) => object | undefined} find gives the state of the response that a member is called on. Where
 * there is none, as for the target of a Proxy that hides it, the member is the original one.
 */
function membersOf(original, find) {
  const method = (name, act) => ({
    value(schema) {
      const state = find(this);
      // Original readers call each other.
      const isOwn = !state || (state.isBare_ && !this.bodyUsed);
      return isOwn ? original[name].call(state?.target_ ?? this, schema) : act(state, this, schema);
    },
    configurable: true,
    writable: true,
  });
  const members = {
    [TARGET]: {
      get() {
        return this;
      },
    },
    body: {
      get() {
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

function clone(state) {
  const { call_: call, original_: original, target_: target, stream_: body } = state;
  if (body?.locked) throw new TypeError('the body is locked');
  state.isBare_ = true;
  try {
    const copy = original.clone.call(target);
    call.branches_++;
    cover(copy, call);
    return copy;
  } finally {
    state.isBare_ = false;
  }
}

/** Reads a response for a shortcut: a Proxy, or what is frozen, may show other members than ours. */
export const readBy = (response, how, schema) => {
  const state = stateOf(response);
  return state ? read(state, response, how, schema) : response[how](schema);
};

/** How a read went, as a value. */
export const toResult = (data, responseOf) =>
  data.then(
    (value) => ({ success: true, data: value, error: undefined, response: responseOf() }),
    (error) => ({ success: false, data: undefined, error, response: responseOf() ?? safely(() => error.response) }),
  );

/** What is known about the call behind a response. */
export function callInfo(response) {
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
