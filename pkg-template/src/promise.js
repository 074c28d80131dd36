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

export class ResponsePromise extends Promise {
  /** What is derived from it is an ordinary promise. */
  static get [Symbol.species]() {
    return Promise;
  }

  stream() {
    // The error comes out of the stream.
    this.catch(() => {});
    this.call_.isStreaming_ = true;
    return guard(this.call_, undefined, this);
  }

  result(schema) {
    let response;
    const data = this.then((got) => (response = got).json(schema));
    return toResult(data, () => response);
  }
}

for (const how of READERS) {
  ResponsePromise.prototype[how] = function (schema) {
    return this.then((response) => response[how](schema));
  };
}
