// What a shortcut returns; and promises of what others make.

import { errorOf } from './ending.js';
import { CALLBACK_ERROR } from './generated.js';
import { READERS, toResult } from './response.js';
import { guard } from './stream.js';

/** Of what a function gives, which may throw or give anything. */
export function promised(make) {
  try {
    return Promise.resolve(make());
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * The members that the promise of a shortcut has in addition. They are put between it and its class: what is derived from
 * it is an ordinary promise, and `await` makes no second one of it, as it would of a subclass.
 */
const members = {
  stream() {
    // The error comes out of the stream.
    this.catch(() => {});
    this.call_.isStreaming_ = true;
    return guard(this.call_, undefined, this);
  },

  result(schema) {
    let response;
    const data = this.then((got) => (response = got).json(schema));
    return toResult(withFallback(this.call_, data), () => response);
  },
};

for (const how of READERS) {
  members[how] = function (schema) {
    return withFallback(this.call_, this.then((response) => response[how](schema)));
  };
}

/** What the caller has in place of an error, except where the error is the caller's own. */
function withFallback(call, data) {
  const { fallback } = call.config_;
  if (!fallback) return data;
  return data.catch(async (error) => {
    if (/^(ABORTED|INVALID|CALLBACK)/.test(error.code ?? 'INVALID')) throw error;
    try {
      return await fallback(error);
    } catch (original) {
      call.why_ = { original_: original };
      const { outcome, attempts, elapsedMs, status, retryStopped } = error;
      throw errorOf(call, { code_: CALLBACK_ERROR, fields_: { phase: 'hook', outcome, attempts, elapsedMs, status, retryStopped } });
    }
  });
}

Object.setPrototypeOf(members, Promise.prototype);

/** Makes a promise that of a shortcut. */
export function responsePromise(promise, call) {
  promise.call_ = call;
  return Object.setPrototypeOf(promise, members);
}
