// What a shortcut returns; and promises of what others make.

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
    return toResult(data, () => response);
  },
};

for (const how of READERS) {
  members[how] = function (schema) {
    return this.then((response) => response[how](schema));
  };
}

Object.setPrototypeOf(members, Promise.prototype);

/** Makes a promise that of a shortcut. */
export function responsePromise(promise, call) {
  promise.call_ = call;
  return Object.setPrototypeOf(promise, members);
}
