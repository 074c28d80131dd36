// What parts.js uses of the rest of the facade. It is lent when it is loaded: an import would put a second copy of all this
// into parts.js, or a third file, with the names of both sides' exports, into the download of every page.

import type { Lending } from './lending.js';

export let lent: Lending;

export function takeLent(given: Lending): void {
  lent = given;
}
