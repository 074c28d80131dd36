// What a client's options need to be loaded beside the engine that every call needs: a bit each, in `needs_` of its config.

/** The module with what only some clients ask of the engine. */
export const FULL = 1;
/** The JavaScript of parts.js. */
export const PARTS = 2;
/** Any module will do. */
export const LEAN = 4;

/** Everything that a call with these options needs. */
export const needsOf = ({ needs_: needs = 0 }: { readonly needs_?: number }): number => needs | LEAN;
