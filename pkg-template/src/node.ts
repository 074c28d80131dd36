// The entry for Node, Deno and Bun. The bytes are in it: fetch reads no files there, reading one takes a permission in Deno, and server
// bundles leave files behind.

import { subscribe } from 'node:diagnostics_channel';
import { setMaxListeners } from 'node:events';

import { takeChunks } from './chunks.js';
import full from './full.js';
import { runtime } from './runtime.js';
import { fullTexts } from './full-texts.js';
import { setSources } from './load.js';
import { FULL, LEAN } from './features.js';
import { useNode } from './node-runtime.js';
import { setTexts } from './texts.js';

setTexts(fullTexts);
takeChunks();
setSources({
  inside_: full,
  holds_: FULL | LEAN,
  // Node without WebAssembly (--jitless). Bundlers leave it alone: they could not split in every format.
  translated_: async () =>
    (await import(/* @vite-ignore */ /* webpackIgnore: true */ new URL('./translated.js', import.meta.url).href)).default,
});

useNode({ setMaxListeners }, { subscribe });

// In older versions of Deno 2 the timers of servers are numbers too.
if (globalThis.Deno?.unrefTimer) {
  const { holdTimer_: hold } = runtime;
  runtime.holdTimer_ = (timer, isHeld) =>
    typeof timer === 'number' ? globalThis.Deno![isHeld ? 'refTimer' : 'unrefTimer'](timer) : hold(timer, isHeld);
}

export * from './api.js';
