// The entry with everything in it, without `import()` and `import.meta`: for bundlers that do not split (esbuild and Rollup by
// default, Bun), for any script format, for development, service workers and browser extensions.

import full from './full.js';
import { fullTexts } from './full-texts.js';
import provide from './provide.js';
import { setSources, take } from './load.js';
import { FULL, LEAN, PARTS } from './features.js';
import parts from './parts.js';
import { setTexts } from './texts.js';

setTexts(fullTexts);
take(PARTS, parts(provide));
setSources({ inside_: full, holds_: FULL | LEAN });

export * from './api.js';
