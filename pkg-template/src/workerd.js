// The entry for workerd, where a module is imported and cannot be compiled.

import module from './steadfetch_full_bg.wasm';
import parts from './parts.js';
import { setSources } from './load.js';

setSources(
  () => parts,
  () => module,
);

export * from './api.js';
