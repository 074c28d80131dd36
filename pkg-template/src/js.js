// The entry without WebAssembly: the engine translated to JavaScript, and everything in one file.

import translated from './steadfetch_js.js';
import parts from './parts.js';
import { setSources } from './load.js';

setSources(
  () => parts,
  () => translated,
);

export * from './api.js';
