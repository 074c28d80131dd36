// Holds what an optional chunk uses of the rest of the facade. It is provided when the chunk is loaded: an import would put a second copy of all
// this into the chunk, or a third file, with the names of both sides' exports, into the download of every page.

import type { Provided } from './provide.js';

export let provided: Provided;

export function setProvided(given: Provided): void {
  provided = given;
}
