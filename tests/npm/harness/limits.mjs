// How long things may take, in milliseconds.

/** One case, unless it says so itself; counted from where it begins, however long the browser took to get there. */
export const CASE = 15_000;
/** A page or a thread, until its case begins, and its end afterwards. On a busy machine these take longer than most cases. */
export const AROUND_A_CASE = 45_000;
