// Loads what a client needs by `import()`, which bundlers turn into files of their own.

import type { Sources } from './load.js';

import provide from './provide.js';

export const split: Sources = {
  parts_: async () => (await import('./parts.js')).default(provide),
  full_: async () => (await import('./full.js')).default,
  translated_: async () => (await import('./translated.js')).default,
};
