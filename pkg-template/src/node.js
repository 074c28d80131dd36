// The entry for Node, Deno and Bun. The bytes are in it: fetch reads no files there, reading one takes a permission in Deno, and server
// bundles leave files behind.

import { setMaxListeners } from 'node:events';

import getBytes from './steadfetch_bg.js';
import parts from './parts.js';
import { host } from './host.js';
import { setSources } from './load.js';
import { isUnsent, refusal, systemCode } from './network.js';

setSources(
  () => parts,
  getBytes,
  undefined,
  undefined,
  // Node without WebAssembly (--jitless). Bundlers leave it alone: they could not split in every format.
  async () =>
    (await import(/* @vite-ignore */ /* webpackIgnore: true */ new URL('./steadfetch_js.js', import.meta.url).href)).default,
);

Object.assign(host, { isUnsent_: isUnsent, refusal_: refusal, systemCode_: systemCode });

// Node takes more than ten listeners for a leak, and says so. Calls that share a signal are none.
host.prepareSignal_ = (signal) => {
  try {
    setMaxListeners(0, signal);
  } catch {
    // A signal of somebody else's making, which warns of nothing.
  }
};

// In older versions of Deno 2 the timers of servers are numbers too.
if (globalThis.Deno?.unrefTimer) {
  const { holdTimer_: hold } = host;
  host.holdTimer_ = (timer, isHeld) =>
    typeof timer === 'number' ? globalThis.Deno[isHeld ? 'refTimer' : 'unrefTimer'](timer) : hold(timer, isHeld);
}

export * from './api.js';
