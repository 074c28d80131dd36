// The entry for Node, Deno and Bun. The bytes are in it: fetch reads no files there, reading one takes a permission in Deno, and server
// bundles leave files behind.

import { subscribe } from 'node:diagnostics_channel';
import { setMaxListeners } from 'node:events';

import getBytes from './steadfetch_bg.js';
import parts from './parts.js';
import { host } from './host.js';
import { setSources } from './load.js';
import { useNode } from './node-host.js';

setSources(
  () => parts,
  getBytes,
  undefined,
  undefined,
  // Node without WebAssembly (--jitless). Bundlers leave it alone: they could not split in every format.
  async () =>
    (await import(/* @vite-ignore */ /* webpackIgnore: true */ new URL('./steadfetch_js.js', import.meta.url).href)).default,
);

useNode({ setMaxListeners }, { subscribe });

// In older versions of Deno 2 the timers of servers are numbers too.
if (globalThis.Deno?.unrefTimer) {
  const { holdTimer_: hold } = host;
  host.holdTimer_ = (timer, isHeld) =>
    typeof timer === 'number' ? globalThis.Deno[isHeld ? 'refTimer' : 'unrefTimer'](timer) : hold(timer, isHeld);
}

export * from './api.js';
