// What the entries load when a client needs it, by `import()`, which bundlers turn into files of their own.

import type { Sources } from './load.js';

import lending from './lending.js';

export const split: Sources = {
  parts_: async () => (await import('./parts.js')).default(lending),
  full_: async () => (await import('./full.js')).default,
  translated_: async () => (await import('./translated.js')).default,
};
