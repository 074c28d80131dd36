// What a library leaves behind: timers, abort listeners, unhandled rejections, wasm memory.
// Installed before the package is imported, so that nothing it does escapes.

import { withoutGrowth } from './traps.mjs';

/** The platform's own functions, for the harness itself: cases patch the globals. */
export const platform = {
  fetch: globalThis.fetch.bind(globalThis),
  setTimeout: globalThis.setTimeout.bind(globalThis),
  clearTimeout: globalThis.clearTimeout.bind(globalThis),
  now: globalThis.performance.now.bind(globalThis.performance),
};

/** Counts the timers that were set through the globals and neither fired nor were cleared. */
export function trackTimers() {
  const pending = new Map();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  // Node's own fetch sets its timers through the global too.
  const isNodes = () => typeof process !== 'undefined' && /^\s+at .*node:internal/.test(new Error().stack.split('\n')[3] ?? '');
  globalThis.setTimeout = (callback, delay, ...rest) => {
    if (isNodes()) return set(callback, delay, ...rest);
    const handle = set(() => {
      pending.delete(handle);
      if (typeof callback === 'function') callback(...rest);
    }, delay);
    pending.set(handle, delay);
    return handle;
  };
  globalThis.clearTimeout = (handle) => {
    pending.delete(handle);
    clear(handle);
  };
  return { pending: () => pending.size, delays: () => [...pending.values()] };
}

/** Collects unhandled rejections and uncaught errors. */
export function trackUnhandled() {
  const seen = [];
  if (typeof process === 'undefined') {
    globalThis.addEventListener('unhandledrejection', (event) => {
      event.preventDefault();
      seen.push(event.reason);
    });
    globalThis.addEventListener('error', (event) => {
      event.preventDefault?.();
      seen.push(event.error ?? event.message);
    });
  } else {
    globalThis.process.on('unhandledRejection', (reason) => seen.push(reason));
    globalThis.process.on('uncaughtException', (error) => seen.push(error));
  }
  return seen;
}

/** Does what a Content-Security-Policy without 'wasm-unsafe-eval' does. */
export function refuseWebAssembly() {
  const complaint = () => new WebAssembly.CompileError("the Content Security Policy has no 'wasm-unsafe-eval'");
  WebAssembly.Module = class {
    constructor() {
      throw complaint();
    }
  };
  const refuse = (name) => {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      // Node's own fetch parses HTTP in wasm.
      if (/node:internal\/deps/.test(new Error().stack)) return original.apply(WebAssembly, args);
      throw complaint();
    };
  };
  ['compile', 'instantiate'].forEach(refuse);
}

/** Remembers every wasm instance, to read the size of its memory, and lets a case stand between it and the package. */
export function trackMemory() {
  const memories = new Set();
  /** The bytes of modules. */
  const sources = new WeakMap();
  let change;
  let isLimited = false;
  const remember = (instance) => {
    // Node's own fetch parses HTTP in wasm too.
    if ('llhttp_alloc' in instance.exports) return instance;
    for (const value of Object.values(instance.exports)) {
      if (value instanceof WebAssembly.Memory) memories.add(value);
    }
    return instance;
  };
  const { compile, instantiate, instantiateStreaming } = WebAssembly;
  WebAssembly.compile = async (...args) => {
    const module = await compile.apply(WebAssembly, args);
    sources.set(module, args[0]);
    return module;
  };
  const { Module } = WebAssembly;
  WebAssembly.Module = new Proxy(Module, {
    construct(target, args) {
      const module = new target(...args);
      sources.set(module, args[0]);
      return module;
    },
  });
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args) {
      const [module] = args;
      if (isLimited) args = [new Module(withoutGrowth(new Uint8Array(sources.get(module))))];
      const instance = remember(new target(...args));
      return change ? { exports: change(instance.exports) } : instance;
    },
  });
  const through = (original) => async (...args) => {
    const result = await original.apply(WebAssembly, args);
    remember(result.instance ?? result);
    return result;
  };
  WebAssembly.instantiate = through(instantiate);
  if (instantiateStreaming) WebAssembly.instantiateStreaming = through(instantiateStreaming);
  return {
    /** What the exports of the instances to come are replaced by. The package makes its own when the first call starts. */
    intercept(replace) {
      change = replace;
    },
    /** The memory of the instances to come does not grow. */
    limit() {
      isLimited = true;
    },
    instances: () => memories.size,
    bytes: () => [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0),
  };
}

/** Counts the listeners of one signal, also those that hang on it through `AbortSignal.any`. */
export function trackListeners(signal) {
  const live = new Set();
  const counts = { added: 0, removed: 0, most: 0 };
  const { addEventListener, removeEventListener } = signal;
  const remove = (listener) => {
    if (live.delete(listener)) counts.removed += 1;
  };
  signal.addEventListener = (type, listener, options) => {
    if (type === 'abort' && !live.has(listener)) {
      live.add(listener);
      counts.added += 1;
      counts.most = Math.max(counts.most, live.size);
    }
    return addEventListener.call(signal, type, listener, options);
  };
  signal.removeEventListener = (type, listener, options) => {
    if (type === 'abort') remove(listener);
    return removeEventListener.call(signal, type, listener, options);
  };
  const { any } = AbortSignal;
  AbortSignal.any = (signals) => {
    if ([...signals].includes(signal)) {
      live.add({});
      counts.added += 1;
      counts.most = Math.max(counts.most, live.size);
    }
    return any.call(AbortSignal, signals);
  };
  return { live: () => live.size, ...counts, get added() { return counts.added; }, get most() { return counts.most; } };
}

/** A spy in place of a method; `restore` puts the original back. */
export function spy(object, name, replace = (original) => original) {
  const original = object[name];
  const calls = [];
  const replacement = replace(original);
  object[name] = function (...args) {
    calls.push(args);
    return replacement.apply(this, args);
  };
  return { calls, restore: () => { object[name] = original; } };
}
