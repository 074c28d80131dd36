// The rules of workerd, in Node: imported before a worker, it makes the globals follow them.
//
// Timers, random numbers and requests belong to the request that is being served: outside of one they are refused, and they end
// with it. The rules are those that a worker of the oldest compatibility date meets.

import { AsyncLocalStorage } from 'node:async_hooks';

// Node loads its own fetch late, by all that is taken away below.
await (await fetch('data:,')).text();

const current = new AsyncLocalStorage();

function request() {
  const found = current.getStore();
  if (!found) throw new Error('Disallowed operation called within global scope');
  return found;
}

/** Serves a request, in a task of its own. Whatever it has started ends with it. */
export const serve = async (handle) => {
  const own = { isOver: false };
  await new Promise((resolve) => start(resolve));
  return current.run(own, async () => {
    try {
      return await handle();
    } finally {
      own.isOver = true;
    }
  });
};

const { setTimeout: start, crypto } = globalThis;
globalThis.setTimeout = (callback, milliseconds) => {
  const own = request();
  const timer = start(() => own.isOver || callback(), milliseconds);
  return Number(timer);
};

const { getRandomValues } = crypto;
crypto.getRandomValues = (values) => {
  request();
  return getRandomValues.call(crypto, values);
};

/** Answers to `/hang` never come. */
globalThis.fetch = (url, { signal }) => {
  const own = request();
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => own.isOver || reject(signal.reason));
    if (!url.endsWith('/hang')) start(() => own.isOver || resolve(new Response('answer')), 1);
  });
};

globalThis.WebSocketPair = class {
  constructor() {
    const own = request();
    this[0] = {
      get readyState() {
        if (request() !== own) throw new Error('Cannot perform I/O on behalf of a different request.');
        return 0;
      },
    };
  }
};

globalThis.addEventListener = (type, listener, options) => {
  if (options) throw new TypeError('addEventListener(): useCapture must be false.');
};

for (const name of ['FinalizationRegistry', 'WeakRef', 'MessageChannel', 'setImmediate', 'process', 'navigator']) delete globalThis[name];
const { compile, instantiate } = WebAssembly;
for (const [name, original] of Object.entries({ compile, instantiate })) {
  WebAssembly[name] = async (source, imports) => {
    // What Node compiles for its own fetch is no business of the worker.
    const isAllowed = source instanceof WebAssembly.Module || new Error().stack.includes('undici');
    if (!isAllowed) throw new WebAssembly.CompileError('Wasm code generation disallowed by embedder');
    return original(source, imports);
  };
}
