// The entry for production builds of bundlers that split their output. It holds the lean engine. What only some clients use is loaded when
// they need it.

import lean from './lean.js';
import { setSources } from './load.js';
import { LEAN } from './features.js';
import { split } from './split.js';

setSources({ inside_: lean, holds_: LEAN, ...split });

export * from './api.js';
