// The entry for Node, which cannot fetch a file; Deno and Bun take it too.

import parts from './parts.js';
import { decode, setSources } from './load.js';

setSources(
  () => parts,
  async () => {
    const { readFile } = await import('node:fs/promises');
    return readFile(new URL('./steadfetch_full_bg.wasm', import.meta.url));
  },
  // Where a server bundle has left the file behind.
  async () => decode((await import('./steadfetch_bg.js')).default),
);

export * from './api.js';
