// The entry for workerd, where a module is imported and cannot be compiled.

import module from './steadfetch_bg.wasm';
import { setSources } from './load.js';

setSources(() => module);

export * from './api.js';
