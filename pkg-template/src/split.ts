// Loads what a client needs by `import()`, which bundlers turn into files of their own.

import type { Sources } from './load.js';

import provide from './provide.js';
import { EVENTS, PARTS, SHARING, WRITES } from './features.js';

export const split: Sources = {
  chunks_: {
    [EVENTS]: async () => (await import('./events.js')).default(provide),
    [PARTS]: async () => (await import('./parts.js')).default(provide),
    [SHARING]: async () => (await import('./sharing.js')).default(provide),
    [WRITES]: async () => (await import('./writes.js')).default(provide),
  },
  full_: async () => (await import('./full.js')).default,
  translated_: async () => (await import('./translated.js')).default,
};
