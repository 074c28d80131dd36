// The entry without WebAssembly: the engine translated to JavaScript, and everything in one file.

import { fullTexts } from './full-texts.js';
import provide from './provide.js';
import { take } from './load.js';
import { FULL, LEAN, PARTS } from './features.js';
import parts from './parts.js';
import translated from './translated.js';
import { setTexts } from './texts.js';

setTexts(fullTexts);
take(PARTS, parts(provide));
take(FULL | LEAN, translated);

export * from './api.js';
