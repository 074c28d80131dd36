// The entry with everything in it, without `import()` and `import.meta`: for bundlers that do not split (esbuild and Rollup by
// default, Bun), for any script format, for development, service workers and browser extensions.

import { takeChunks } from './chunks.js';
import full from './full.js';
import { fullTexts } from './full-texts.js';
import { setSources } from './load.js';
import { FULL, LEAN } from './features.js';
import { setTexts } from './texts.js';

setTexts(fullTexts);
takeChunks();
setSources({ inside_: full, holds_: FULL | LEAN });

export * from './api.js';
