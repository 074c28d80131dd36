// How long things may take, in milliseconds.

/** One case, unless it says so itself; counted from where it begins, however long the browser took to get there. */
export const CASE = 15_000;
/** A page or a thread, until its case begins, and its end afterwards. On a busy machine these take longer than most cases. */
export const AROUND_A_CASE = 45_000;

/** @param {{ timeout?: number, full?: number }} one a case, and whether it is run at its full length */
export const limitOf = (one, full) => (full ? one.full : one.timeout) ?? CASE;
