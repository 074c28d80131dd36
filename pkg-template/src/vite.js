// The entry for the production builds of Vite, which copy the files of `new URL`. Vite replaces both conditions below before it drops
// code, so the imports, which have no side effects, leave such a build, and the page downloads what its clients use.
//
// Other bundlers that resolve the condition `production` get the imports: everything is in their output, in any format. So does a
// page with a library that Vite has built: NODE_ENV is left to those who use it, and the address of the script may be unknown.

import getBytes from './steadfetch_bg.js';
import parts from './parts.js';
import { setSources } from './load.js';

/** An `import()` that bundlers leave alone: in some output formats they cannot split, but Vite copies the file of a `new URL`. */
const imported = async (url) => (await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ url.href)).default;

if (import.meta.env?.PROD && globalThis.process?.env?.NODE_ENV === 'production') {
  setSources(
    () => imported(new URL('./parts.js', import.meta.url)),
    () => new URL('./steadfetch_full_bg.wasm', import.meta.url),
    undefined,
    () => new URL('./steadfetch_bg.wasm', import.meta.url),
    () => imported(new URL('./steadfetch_js.js', import.meta.url)),
  );
} else {
  setSources(
    () => parts,
    getBytes,
  );
}

export * from './api.js';
