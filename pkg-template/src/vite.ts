// The entry for production builds of Vite, and of other tools that resolve the condition `production` (Rollup, Parcel). None of its
// branches has an `import()` for a bundler to split: Rollup refuses it for the format `iife`, which Vite's workers have unless the user
// says otherwise, and for `output.file`. Vite copies the files of `new URL`. It replaces both conditions below before it drops code, so
// nothing stays of the other branch. Other tools put everything inside, and so does a library that Vite builds: NODE_ENV is left to
// those who use it, and the address of the script may be unknown.

import { takeChunks } from './chunks.js';
import full from './full.js';
import lean from './lean.js';
import provide from './provide.js';
import { setSources } from './load.js';
import { EVENTS, FULL, LEAN, PARTS, SHARING, WRITES } from './features.js';

/** An `import()` that bundlers leave alone. */
const imported = async (url: URL) => (await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ url.href)).default;

if (import.meta.env?.PROD && globalThis.process?.env?.NODE_ENV === 'production') {
  setSources({
    inside_: lean,
    holds_: LEAN,
    chunks_: {
      [EVENTS]: async () => (await imported(new URL('./events.js', import.meta.url)))(provide),
      [PARTS]: async () => (await imported(new URL('./parts.js', import.meta.url)))(provide),
      [SHARING]: async () => (await imported(new URL('./sharing.js', import.meta.url)))(provide),
      [WRITES]: async () => (await imported(new URL('./writes.js', import.meta.url)))(provide),
    },
    full_: () => imported(new URL('./full.js', import.meta.url)),
    translated_: () => imported(new URL('./translated.js', import.meta.url)),
  });
} else {
  takeChunks();
  setSources({ inside_: full, holds_: FULL | LEAN });
}

export * from './api.js';
