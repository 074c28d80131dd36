// The entry for Node, which cannot fetch a file; Deno and Bun take it too.

import { setMaxListeners } from 'node:events';

import parts from './parts.js';
import { host } from './host.js';
import { decode, setSources } from './load.js';
import { isUnsent, refusal, systemCode } from './network.js';

setSources(
  () => parts,
  async () => {
    const { readFile } = await import('node:fs/promises');
    return readFile(new URL('./steadfetch_full_bg.wasm', import.meta.url));
  },
  // Where a server bundle has left the file behind.
  async () => decode((await import('./steadfetch_bg.js')).default),
  undefined,
  // Node without WebAssembly (--jitless).
  async () => (await import('./steadfetch_js.js')).default,
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
