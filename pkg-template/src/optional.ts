// The optional chunk: what parts.js has, once it is loaded.

/** Makes it, of what the rest of the facade lends to it. */
export type MakeParts = typeof import('./parts.js').default;
export type Parts = ReturnType<MakeParts>;

/** There for calls whose options need it. */
export let parts: Parts;

export function setParts(given: Parts): void {
  parts = given;
}
