// The entry for browsers, workers and bundlers: it loads what a page uses, and no more.

import { setSources } from './load.js';

setSources(
  async () => (await import('./parts.js')).default,
  // Bundlers look for these very expressions.
  () => new URL('./steadfetch_full_bg.wasm', import.meta.url),
  async () => (await import('./steadfetch_bg.js')).default(),
  () => new URL('./steadfetch_bg.wasm', import.meta.url),
  async () => (await import('./steadfetch_js.js')).default,
);

export * from './api.js';
