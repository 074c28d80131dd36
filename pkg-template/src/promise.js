// What a shortcut returns; and promises of what others make.

import { refuseSchema } from './body.js';
import { errorOf, pendingOf } from './ending.js';
import { UNKNOWN, errorInfo, rejectWith, safely } from './errors.js';
import { CALLBACK_ERROR } from './generated.js';
import { lingerFor } from './linger.js';
import { decide } from './load.js';
import { accept } from './request.js';
import { READERS, coverLate, readBy, toResult } from './response.js';
import { guard } from './stream.js';

/** What a fallback has at least, in milliseconds: the deadline may be what has failed. */
const FALLBACK = 100;

/** Of what a function gives, which may throw or give anything. */
export function promised(make) {
  try {
    return Promise.resolve(make());
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * The members of what a shortcut returns, above those of the class `Promise`. It is no promise, but makes one as soon as a member of
 * that class is called: most calls are read by their own reader, and the promise of the response would only be in the way.
 */
const members = {
  then(onResponse, onError) {
    return promiseOf(this.call_).then(onResponse, onError);
  },

  stream() {
    // The error comes out of the stream.
    const nothing = () => {};
    this.then(nothing, nothing);
    this.call_.isStreaming_ = true;
    decide(this.call_);
    return guard(this.call_, undefined, this);
  },

  result(schema) {
    let response;
    choose(this.call_, 'json', schema);
    const data = this.then((got) => readBy((response = got), 'json', schema));
    return toResult(withFallback(this.call_, data), () => response);
  },
};

for (const how of READERS) {
  members[how] = function (schema) {
    const { call_: call } = this;
    return withFallback(call, call.isUndecided_ && !call.promise_ && !call.reading_ ? readFirst(call, how, schema) : readLater(this, how, schema));
  };
}

/** The only reader so far, before the call is sent: it gets the body itself, or the error. */
const readFirst = (call, how, schema) =>
  new Promise((resolve, reject) => {
    call.reading_ = { how_: how, schema_: schema, resolve_: resolve, reject_: reject };
    choose(call, how, schema);
  });

function readLater(promise, how, schema) {
  choose(promise.call_, how, schema);
  return promise.then((response) => readBy(response, how, schema));
}

/** The promise of the response, made when it is asked for. */
function promiseOf(call) {
  if (!call.promise_ && call.info_) call.promise_ = Promise.resolve(coverLate(call));
  if (!call.promise_ && call.isDone_) call.promise_ = Promise.reject(call.failure_);
  return call.promise_ ?? pendingOf(call);
}

/** What the readers take. */
const TYPES = { json: 'application/json', text: 'text/*' };

/** How the body will be read is known before the call is sent, unless it had to be sent at once. */
function choose(call, how, schema) {
  if (!call.isUndecided_ || call.isDone_ || refuseSchema(call, schema)) return;
  // What cannot be read is fetch's to refuse.
  if (TYPES[how]) safely(() => accept(call, TYPES[how]));
  decide(call);
}

const withFallback = (call, data) => (call.config_.fallback ? data.catch((error) => askFallback(call, error)) : data);

/** What the caller has in place of an error, except where the error is the caller's own. */
function askFallback(call, error) {
  const { outcome, attempts, status, retryStopped, code = call.code_ } = errorInfo(error) ?? {};
  if (/^(ABORTED|INVALID|CALLBACK)/.test(code ?? 'INVALID')) throw error;
  return new Promise((resolve, reject) => {
    const fail = (code, why, limit) => {
      call.why_ = why;
      rejectWith(resolve, reject, errorOf(call, { code_: code, fields_: { phase: 'hook', outcome, attempts, elapsedMs: call.elapsed_(), status, retryStopped, limit } }));
    };
    // The call itself is over; who cancels it, or its client, means this too.
    const stopWaiting = lingerFor(call, FALLBACK, (code, limit) => fail(code, UNKNOWN, limit));
    promised(() => call.config_.fallback(error))
      .then(resolve, (original) => fail(CALLBACK_ERROR, { original_: original }))
      .then(stopWaiting);
  });
}

/** The class `Promise` as it was last, with `members` above it. A library may replace the global one at any time. */
let base;

function ResponsePromise(call) {
  this.call_ = call;
}

/** Makes what a shortcut returns. */
export function responsePromise(call) {
  if (Promise !== base) ResponsePromise.prototype = Object.create((base = Promise).prototype, Object.getOwnPropertyDescriptors(members));
  return new ResponsePromise(call);
}
