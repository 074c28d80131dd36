// Makes what a shortcut returns: an object of the class Promise that makes its promise on demand.

import type { ErrorCode } from '../errors.js';
import type { ResponsePromise as PublicPromise } from '../response.js';
import type { CallState, How, ReadyCall, Schema } from './call-state.js';
import type { AnyError, FailureDetails, FailureFields } from './shapes.js';

import { refuseSchema } from './body.js';
import { UNKNOWN, errorInfo, rejectWith, safely } from './errors.js';
import { errorOf, localFailure } from './failure.js';
import { CALLBACK_ERROR } from './generated.js';
import { decide } from './load.js';
import { afterCall } from './post-call.js';
import { promised } from './promised.js';
import { accept } from './request.js';
import { READERS, readBy, toResult } from './response.js';
import { pendingOf } from './settle.js';
import { streamOfBody } from './stream.js';

/** The least time that a fallback gets, in milliseconds: the call may have failed by its deadline. */
const FALLBACK = 100;

/** The result of a shortcut, as the members below see it. */
interface Promised extends Promise<Response> {
  readonly call_: CallState;
}

type Members = Pick<Promise<Response>, 'then'> & {
  [Name in How]?: (this: Promised, schema?: Schema) => Promise<unknown>;
} & { stream(this: Promised): ReadableStream; result(this: Promised, schema?: Schema): Promise<object> };

/**
 * The members of what a shortcut returns, above those of the class `Promise`. It is no promise, but makes one as soon as a member of
 * that class is called: most calls are read by their own reader, and the promise of the response would only be in the way.
 */
const members: Members & ThisType<Promised> = {
  then(onResponse, onError) {
    return promiseOf(this.call_).then(onResponse, onError);
  },

  stream() {
    // The error comes out of the stream.
    const nothing = () => {};
    this.then(nothing, nothing);
    this.call_.isStreaming_ = true;
    decide(this.call_);
    return streamOfBody(this.call_, undefined, this);
  },

  result(schema) {
    let response: Response | undefined;
    choose(this.call_, 'json', schema);
    const data = this.then((got) => readBy((response = got), 'json', schema));
    return toResult(withFallback(this.call_, data), () => response);
  },
};

for (const how of READERS) {
  members[how] = function (this: Promised, schema?: Schema) {
    const { call_: call } = this;
    return withFallback(call, call.isUndecided_ && !call.promise_ && !call.reading_ ? readFirst(call, how, schema) : readLater(this, how, schema));
  };
}

/** The only reader so far, before the call is sent: it gets the body itself, or the error. */
const readFirst = (call: CallState, how: How, schema: Schema | undefined): Promise<unknown> =>
  new Promise((resolve, reject) => {
    call.reading_ = { how_: how, schema_: schema, resolve_: resolve, reject_: reject };
    choose(call, how, schema);
  });

function readLater(promise: Promised, how: How, schema: Schema | undefined): Promise<unknown> {
  choose(promise.call_, how, schema);
  return promise.then((response) => readBy(response, how, schema));
}

/** The promise of the response, made when it is asked for. */
function promiseOf(call: CallState): Promise<Response> {
  if (!call.promise_ && call.info_) call.promise_ = Promise.resolve(call.covered_());
  if (!call.promise_ && call.isDone_) call.promise_ = Promise.reject(call.failure_);
  return call.promise_ ?? pendingOf(call);
}

/** The Accept header of each reader. */
const TYPES: { readonly [Reader in How]?: string } = { json: 'application/json', text: 'text/*' };

/** How the body will be read is known before the call is sent, unless it had to be sent at once. */
function choose(call: CallState, how: How, schema: unknown): void {
  if (!call.isUndecided_ || call.isDone_ || refuseSchema(call, schema)) return;
  // Headers that cannot be read are refused by fetch.
  if (TYPES[how]) safely(() => accept(call as ReadyCall, TYPES[how]!));
  // A call that its caller gives up at once, as effects do that run twice, is not to begin a request that others could have shared.
  if (!call.config_.dedupe) decide(call);
}

const withFallback = (call: CallState, data: Promise<unknown>): Promise<unknown> => (call.config_.fallback ? data.catch((error) => askFallback(call, error)) : data);

/** The facts about the call that the error of its fallback repeats. */
type FailureSummary = Omit<FailureFields, 'phase'> & { readonly code?: ErrorCode };

/** Asks the caller's fallback for a value in place of an error, except where the error is the caller's own. */
function askFallback(call: CallState, error: unknown): Promise<unknown> {
  // An error that a beforeError hook made does not know how the call ended.
  const { outcome, attempts, status, retryStopped, code = call.code_ }: FailureSummary = errorInfo(error) ?? localFailure(call, CALLBACK_ERROR, 'hook').fields_;
  if (/^(ABORTED|INVALID|CALLBACK)/.test(code ?? 'INVALID')) throw error;
  return new Promise((resolve, reject) => {
    const fail = (code: number, why: FailureDetails, limit?: number) => {
      call.failureDetails_ = why;
      rejectWith(resolve, reject, errorOf(call, { code_: code, fields_: { phase: 'hook', outcome, attempts, elapsedMs: call.elapsed_(), status, retryStopped, limit } }));
    };
    // The call itself is over; who cancels it, or its client, means this too.
    const stopWaiting = afterCall(call, FALLBACK, (code, limit) => fail(code, UNKNOWN, limit));
    promised(() => call.config_.fallback!(error as AnyError))
      .then(resolve, (original) => fail(CALLBACK_ERROR, { original_: original }))
      .then(stopWaiting);
  });
}

/** The class `Promise` as it was last, with `members` above it. A library may replace the global one at any time. */
let base: typeof Promise | undefined;

function ResponsePromise(this: { call_: CallState }, call: CallState) {
  this.call_ = call;
}

/** Makes what a shortcut returns. */
export function responsePromise(call: CallState): PublicPromise {
  if (Promise !== base) ResponsePromise.prototype = Object.create((base = Promise).prototype, Object.getOwnPropertyDescriptors(members));
  return new (ResponsePromise as unknown as new (call: CallState) => PublicPromise)(call);
}
