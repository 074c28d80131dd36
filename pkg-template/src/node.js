// The entry for Node, which cannot fetch a file; Deno and Bun take it too.

import { decode, setSources } from './load.js';

setSources(
  async () => {
    const { readFile } = await import('node:fs/promises');
    return readFile(new URL('./steadfetch_bg.wasm', import.meta.url));
  },
  // Where a server bundle has left the file behind.
  async () => decode((await import('./steadfetch_bg.js')).default),
);

export * from './api.js';
