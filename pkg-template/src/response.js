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
 * `call_`; `original_`: what has the uncovered members, a prototype or what a response that a custom fetch made up had of
 * its own; `stream_`: the covered body, once somebody asked for it.
 */
const stateOf = Covered.stateOf_;
const originalOf = (response) => stateOf(response)?.original_ ?? response;

/** Puts a response under its call. */
export function cover(response, call) {
  const prototype = Object.getPrototypeOf(response);
  const known = stateOf(response);
  const isPlatforms = 'text' in Object(prototype);
  Covered.mark_(response, {
    call_: call,
    // A custom fetch may return a response again.
    original_: known?.original_ ?? (isPlatforms ? prototype : { ...response }),
    stream_: undefined,
  });
  if (known) return;
  try {
    if (isPlatforms) {
      let covering = covers.get(prototype);
      if (!covering) covers.set(prototype, (covering = Object.create(prototype, members)));
      Object.setPrototypeOf(response, covering);
    } else {
      Object.defineProperties(response, members);
    }
  } catch {
    // A frozen response stays as it is. Nothing else may throw in here: it would go unnoticed.
  }
}

/** The platform's own body. */
export const bodyOf = (response) => Reflect.get(originalOf(response), 'body', response) ?? null;

/** Lets go of a body that nobody will read. */
export function drop(response) {
  try {
    bodyOf(response)?.cancel?.()?.catch(() => {});
  } catch {
    // Locked, or no object at all.
  }
}

/** The covered body. */
function streamOf(response) {
  const state = stateOf(response);
  return bodyOf(response) && (state.stream_ ??= guard(state.call_, response));
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
    const { call_: call, original_: original, stream_: body } = stateOf(this);
    if (body?.locked) throw new TypeError('the body is locked');
    const copy = original.clone.call(this);
    call.branches_++;
    cover(copy, call);
    return copy;
  }),
  stream: method(function stream() {
    const { call_: call } = stateOf(this);
    call.event_(STREAMING);
    return streamOf(this) ?? guard(call, this);
  }),
};
members.result = method(function result(schema) {
  return toResult(this.json(schema), () => this);
});
for (const how of READERS) {
  members[how] = method(function (schema) {
    return read(stateOf(this), this, how, schema);
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
  const call = stateOf(response)?.call_;
  if (!call) return undefined;
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
