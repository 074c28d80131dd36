// The optional chunk: what parts.js has, once it is loaded.

import type { Parts } from './parts.js';

/** There for calls whose options need it. */
export let parts: Parts;

export function setParts(given: Parts): void {
  parts = given;
}
