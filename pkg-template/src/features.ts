// Says which modules a client's options need beside the lean engine: a bit each, in `features_` of its config.

/** The module with what only some clients ask of the engine. */
export const FULL = 1;
/** The JavaScript of parts.js. */
export const PARTS = 2;
/** Any module will do. */
export const LEAN = 4;
/** The JavaScript of writes.js, for an option of a client, and for one of a call: times the scope of the option. */
export const WRITES_OF_CLIENT = 8;
export const WRITES_OF_CALL = 16;
/** A lookup of the outcome, for one call. */
export const LOOKUP_OF_CALL = 32;
export const WRITES = 56;

/** The JavaScript of events.js. */
export const EVENTS = 1024;
/** The JavaScript of sharing.js. */
export const SHARING = 64;

/** Everything that a call with these options needs. */
export const featuresOf = ({ features_: needs = 0 }: { readonly features_?: number }): number => needs | LEAN;
