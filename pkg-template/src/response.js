// The platform's own Response object, its body members covered by the limits of its call.
//
// One prototype between the object and its class costs a tenth of defining the members on each object, and keeps what a
// new Response would lose: the identity, `url`, `redirected`, `type`.

import { STREAMING } from './protocol.js';
import { headerOf } from './head.js';
import { read } from './body.js';
import { guard } from './stream.js';

/** The covering prototype of each prototype that responses have had: one a realm. */
const covers = new WeakMap();

/** Gives back what it is given, so that the private fields of a class above it end up there. */
class Given {
  constructor(given) {
    return given;
  }
}

/**
 * What is known of a covered response, in fields on itself that nobody sees. A WeakMap would do too, but each collection
 * of garbage has to go through it: in Node that costs more than all else that is done for a call.
 */
class Covered extends Given {
  #call;
  /** What has the uncovered members: a prototype, or what a response that a custom fetch made up had of its own. */
  #original;

  /** The covered body, once somebody asked for it. */
  #stream;

  static mark_(response, call, original) {
    if (!(#call in response)) new Covered(response);
    response.#call = call;
    response.#original = original;
  }

  /** @returns {import('./call.js').Call | undefined} */
  static callOf_(response) {
    return Object(response) === response && #call in response ? response.#call : undefined;
  }

  static originalOf_(response) {
    return #original in response ? response.#original : response;
  }

  static streamOf_(response) {
    return bodyOf(response) && (response.#stream ??= guard(response.#call, response));
  }

  /** Whether a reader of the covered body was taken, which locks nothing of the platform's. */
  static isLocked_(response) {
    return !!response.#stream?.locked;
  }
}

const callOf = Covered.callOf_;
const originalOf = Covered.originalOf_;
const streamOf = Covered.streamOf_;
export const isLocked = Covered.isLocked_;

/** Puts a response under its call. */
export function cover(response, call) {
  const prototype = Object.getPrototypeOf(response);
  try {
    if (callOf(response)) {
      // A custom fetch gave it again.
      Covered.mark_(response, call, originalOf(response));
    } else if ('text' in Object(prototype)) {
      let covering = covers.get(prototype);
      if (!covering) covers.set(prototype, (covering = Object.create(prototype, members)));
      Covered.mark_(response, call, prototype);
      Object.setPrototypeOf(response, covering);
    } else {
      Covered.mark_(response, call, { ...response });
      Object.defineProperties(response, members);
    }
  } catch {
    // Frozen: it stays as it is.
  }
}

/** Calls an uncovered member. */
export const callOriginal = (response, name) => originalOf(response)[name].call(response);
export const hasOriginal = (response, name) => typeof originalOf(response)[name] === 'function';
export const bodyOf = (response) => Reflect.get(originalOf(response), 'body', response) ?? null;

/** Lets go of a body that nobody will read. */
export function drop(response) {
  try {
    bodyOf(response)?.cancel?.()?.catch(() => {});
  } catch {
    // Locked, or no object at all.
  }
}

/** The members that read a body to its end. */
export const READERS = ['json', 'text', 'bytes', 'arrayBuffer', 'blob', 'formData'];

const method = (value) => ({ value, configurable: true, writable: true });

const members = {
  body: {
    get() {
      return streamOf(this);
    },
    configurable: true,
    enumerable: true,
  },
  clone: method(function clone() {
    if (isLocked(this)) throw new TypeError('the body is locked');
    const call = callOf(this);
    const copy = callOriginal(this, 'clone');
    call.branches_++;
    cover(copy, call);
    return copy;
  }),
  stream: method(function stream() {
    callOf(this).event_(STREAMING);
    return streamOf(this) ?? guard(callOf(this), this);
  }),
};
members.result = method(function result(schema) {
  return toResult(this.json(schema), () => this);
});
for (const how of READERS) {
  members[how] = method(function (schema) {
    return read(callOf(this), this, how, schema);
  });
}

/** How a read went, as a value. */
export const toResult = (data, responseOf) =>
  data.then(
    (value) => ({ success: true, data: value, error: undefined, response: responseOf() }),
    (error) => ({ success: false, data: undefined, error, response: responseOf() ?? error?.response }),
  );

/** What is known about the call behind a response. */
export function callInfo(response) {
  const call = callOf(response);
  if (!call) return undefined;
  const { attempts, elapsedMs } = call.info_;
  return {
    attempts,
    resent: false,
    via: call.via_,
    elapsedMs,
    callId: call.callId_,
    requestId: headerOf(response, 'x-request-id'),
    serverTiming: headerOf(response, 'server-timing'),
  };
}
