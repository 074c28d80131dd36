// The entry that has the bytes in it.

import base64 from './steadfetch_bg.js';
import parts from './parts.js';
import { decode, setSources } from './load.js';

setSources(
  () => parts,
  () => decode(base64),
);

export * from './api.js';
