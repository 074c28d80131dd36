// What parts.js uses of the rest of the facade. It is lent when it is loaded: an import would put a second copy of all this
// into parts.js, or a third file, with the names of both sides' exports, into the download of every page.

/** @type {typeof import('./lending.js').default} */
export let lent;

export function takeLent(given) {
  lent = given;
}
