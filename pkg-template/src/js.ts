// The entry without WebAssembly: the engine translated to JavaScript, and everything in one file.

import { takeChunks } from './chunks.js';
import { fullTexts } from './full-texts.js';
import { take } from './load.js';
import { FULL, LEAN } from './features.js';
import translated from './translated.js';
import { setTexts } from './texts.js';

setTexts(fullTexts);
takeChunks();
take(FULL | LEAN, translated);

export * from './api.js';
