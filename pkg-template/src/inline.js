// The entry that has everything in it, for bundlers that copy no files beside their output (Rollup, esbuild, Bun, Angular, Parcel), for
// development, and for service workers. It asks for no file and has neither `import()` nor `import.meta`, so any output format will do.

import getBytes from './steadfetch_bg.js';
import parts from './parts.js';
import { setSources } from './load.js';

setSources(
  () => parts,
  getBytes,
);

export * from './api.js';
