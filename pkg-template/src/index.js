// The entry for browsers, workers and bundlers.

import { decode, setSources } from './load.js';

setSources(
  // Bundlers look for this very expression.
  () => new URL('./steadfetch_bg.wasm', import.meta.url),
  async () => decode((await import('./steadfetch_bg.js')).default),
);

export * from './api.js';
