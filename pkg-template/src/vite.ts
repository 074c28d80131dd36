// The entry for production builds of Vite. Its workers are scripts of the format `iife` unless the user says otherwise, for which
// Rollup splits no `import()`; but it copies the files of `new URL`. Vite replaces both conditions below before it drops code, so nothing
// stays of `split`. Other tools that resolve the condition `production` split (Angular, Parcel). So does a library that Vite builds:
// NODE_ENV is left to those who use it, and the address of the script may be unknown.

import lean from './lean.js';
import provide from './provide.js';
import { setSources } from './load.js';
import { LEAN } from './features.js';
import { split } from './split.js';

/** An `import()` that bundlers leave alone. */
const imported = async (url: URL) => (await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ url.href)).default;

if (import.meta.env?.PROD && globalThis.process?.env?.NODE_ENV === 'production') {
  setSources({
    inside_: lean,
    holds_: LEAN,
    parts_: async () => (await imported(new URL('./parts.js', import.meta.url)))(provide),
    full_: () => imported(new URL('./full.js', import.meta.url)),
    translated_: () => imported(new URL('./translated.js', import.meta.url)),
  });
} else {
  setSources({ inside_: lean, holds_: LEAN, ...split });
}

export * from './api.js';
