// The entry for pages without a bundler, and for development with one that splits: that for production, with the long texts of error
// messages.

import { fullTexts } from './full-texts.js';
import { setTexts } from './texts.js';

setTexts(fullTexts);

export * from './production.js';
