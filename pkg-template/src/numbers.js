// What the engine says, in the words of the public API. The order of the numbers is that of docs/engine.md.

import { AUTH_REFRESH_FAILED, CODES, OUTCOMES, PHASES, STOPPED } from './generated.js';

const known = (number) => (Number.isNaN(number) ? undefined : number);
/** Said of a session only where one was to be renewed. */
const lost = (code, number) => (code === AUTH_REFRESH_FAILED ? !!number : undefined);
export const word = (words, number) => words[number] || undefined;

/**
 * An entry of `error.attempts`.
 * @param {() => number} next
 */
export const readAttempt = (next) => ({
  number: next(),
  resend: !!next(),
  outcome: OUTCOMES[next()],
  code: word(CODES, next()),
  status: known(next()),
  phase: PHASES[next()],
  startMs: next(),
  elapsedMs: next(),
});

/**
 * A failed call: the number of its code, and the fields of its error.
 * @param {() => number} next
 */
export const readFailure = (next) => readFields(next(), next);

const readFields = (code, next) => ({
  code_: code,
  fields_: {
    phase: word(PHASES, next()),
    outcome: OUTCOMES[next()],
    retryStopped: word(STOPPED, next()),
    status: known(next()),
    retryAfterMs: known(next()),
    limit: known(next()),
    bytesReceived: next(),
    elapsedMs: next(),
    sessionLost: lost(code, next()),
    attempts: Array.from({ length: next() }, () => readAttempt(next)),
  },
});
