// The platform's own Response object, its body members covered by the limits of its call.
//
// One prototype between the object and its class costs a tenth of defining the members on each object, and keeps what a
// new Response would lose: the identity, `url`, `redirected`, `type`.

import { STREAMING } from './protocol.js';
import { headerOf } from './head.js';
import { read } from './body.js';
import { guard } from './stream.js';

/** @type {WeakMap<object, import('./call.js').Call>} */
const owners = new WeakMap();
/** The covering prototype of each prototype that responses have had: one a realm. */
const covers = new WeakMap();
/** What a response had of its own that is no Response, but what a custom fetch made up. */
const originals = new WeakMap();
/** The covered body of each response that was asked for it. */
const streams = new WeakMap();

/** Puts a response under its call. */
export function cover(response, call) {
  owners.set(response, call);
  const prototype = Object.getPrototypeOf(response);
  if ('text' in Object(prototype)) {
    let covering = covers.get(prototype);
    if (!covering) covers.set(prototype, (covering = Object.create(prototype, members)));
    Object.setPrototypeOf(response, covering);
  } else {
    originals.set(response, { ...response });
    Object.defineProperties(response, members);
  }
}

/** Where the uncovered members of a covered response are. */
const originalsOf = (response) =>
  originals.get(response) ?? (owners.has(response) ? Object.getPrototypeOf(Object.getPrototypeOf(response)) : response);

/** Calls an uncovered member. */
export const callOriginal = (response, name) => originalsOf(response)[name].call(response);
export const hasOriginal = (response, name) => typeof originalsOf(response)[name] === 'function';
export const bodyOf = (response) => Reflect.get(originalsOf(response), 'body', response) ?? null;

/** Lets go of a body that nobody will read. */
export function drop(response) {
  try {
    bodyOf(response)?.cancel?.()?.catch(() => {});
  } catch {
    // Locked, or no object at all.
  }
}

/** Whether a reader of the covered body was taken, which locks nothing of the platform's. */
export const isLocked = (response) => !!streams.get(response)?.locked;

function streamOf(response) {
  if (bodyOf(response) === null) return null;
  let stream = streams.get(response);
  if (!stream) streams.set(response, (stream = guard(owners.get(response), response)));
  return stream;
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
    const call = owners.get(this);
    const copy = callOriginal(this, 'clone');
    call.branches_++;
    cover(copy, call);
    return copy;
  }),
  stream: method(function stream() {
    owners.get(this).event_(STREAMING);
    return streamOf(this) ?? guard(owners.get(this), this);
  }),
};
members.result = method(function result(schema) {
  return toResult(this.json(schema), () => this);
});
for (const how of READERS) {
  members[how] = method(function (schema) {
    return read(owners.get(this), this, how, schema);
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
  const call = owners.get(response);
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
