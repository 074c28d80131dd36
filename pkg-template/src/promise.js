// What a shortcut returns.

import { toResult } from './response.js';
import { guard } from './stream.js';

export class ResponsePromise extends Promise {
  /** What is derived from it is an ordinary promise. */
  static get [Symbol.species]() {
    return Promise;
  }

  json(schema) {
    return this.then((response) => response.json(schema));
  }

  text() {
    return this.then((response) => response.text());
  }

  bytes() {
    return this.then((response) => response.bytes());
  }

  arrayBuffer() {
    return this.then((response) => response.arrayBuffer());
  }

  blob() {
    return this.then((response) => response.blob());
  }

  formData() {
    return this.then((response) => response.formData());
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
