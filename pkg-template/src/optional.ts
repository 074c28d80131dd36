// Holds the optional chunk, once parts.js is loaded.

import type { Parts } from './parts.js';

/** There for calls whose options need it. */
export let parts: Parts;

export function setParts(given: Parts): void {
  parts = given;
}
