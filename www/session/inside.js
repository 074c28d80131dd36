// Runs in each frame: a client of its own, which does what the page asks for and tells it what happens.

import { loadProduct } from '../product.js';
import { sessionAuth } from './auth.js';

// The page sends one message, with the port over which all else goes.
addEventListener('message', ({ data: { frame }, ports: [port], origin }) => {
  if (origin === location.origin && port) serve(frame, port);
}, { once: true });

function serve(frame, port) {
  let client;
  const does = {
    /** Resolves when the package is there. */
    async load() {
      client = new FrameClient(frame, await loadProduct(), (news) => port.postMessage({ news }));
    },
    open: (options) => client.open(options),
    call: ({ count }) => client.call(count),
    close: () => client.close(),
  };
  port.onmessage = async ({ data: { id, name, options } }) => {
    try {
      port.postMessage({ id, result: await does[name](options) });
    } catch (error) {
      port.postMessage({ id, problem: error.message });
    }
  };
}

class FrameClient {
  #api;
  #statuses;

  constructor(frame, product, tell) {
    Object.assign(this, { frame, product, tell });
  }

  /** Makes a client for this server, and has it make a call with the token that is good. */
  async open({ base, lock, store }) {
    this.#statuses = new Map();
    this.#api = this.product.createClient({
      name: `frame ${this.frame}`,
      baseUrl: base,
      auth: sessionAuth({ lock, store, frame: this.frame }),
      onEvent: (event) => this.#event(event),
    });
    await this.#api.get('data', { searchParams: { frame: this.frame, call: 'first' } }).text();
  }

  /** Calls at once. Each tells how it ended, and what its attempts were answered. */
  call(count) {
    return Promise.all(Array.from({ length: count }, async (_, index) => {
      const operation = `call ${index + 1}`;
      const { error } = await this.#api.get('data', { operation, searchParams: { frame: this.frame, call: index + 1 } }).result();
      return { statuses: this.#statuses.get(operation) ?? [], code: error?.code, sessionLost: error?.sessionLost ?? false };
    }));
  }

  close() {
    this.#api?.close();
    this.#api = undefined;
  }

  #event({ type, operation, status, ok, refreshMs, resend }) {
    // Clocks of frames begin at different times.
    const at = performance.timeOrigin + performance.now();
    if (type === 'refresh') this.tell({ type, ok, refreshMs, at });
    if (type !== 'attempt-end' || !operation) return;
    this.#statuses.set(operation, [...(this.#statuses.get(operation) ?? []), status]);
    this.tell({ type, status, resend, at });
  }
}
