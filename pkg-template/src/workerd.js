// The entry for workerd, where a module is imported and cannot be compiled.

import module from './steadfetch_full_bg.wasm';
import parts from './parts.js';
import { host } from './host.js';
import { setSources } from './load.js';

host.isServer_ = true;

setSources(
  () => parts,
  () => module,
);

export * from './api.js';
