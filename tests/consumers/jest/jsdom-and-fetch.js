// jsdom with the platform of Node beside it, as jest-fixed-jsdom has it: jsdom itself has no fetch, and Node's takes no other signals.

const { TestEnvironment } = require('jest-environment-jsdom');

const NAMES = [
  ...['AbortController', 'AbortSignal', 'Event', 'EventTarget', 'FormData', 'Headers', 'ReadableStream', 'Request', 'Response'],
  ...['TextDecoder', 'TextEncoder', 'Uint8Array', 'fetch', 'structuredClone'],
];

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of NAMES) this.global[name] = globalThis[name];
  }
};
