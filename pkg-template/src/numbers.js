// What the engine says, in the words of the public API. The order of the numbers is that of docs/engine.md.

import { CODES, OUTCOMES, PHASES, STOPPED } from './generated.js';

const known = (number) => (Number.isNaN(number) ? undefined : number);
const word = (words, number) => words[number] || undefined;

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
export const readFailure = (next) => ({
  code_: next(),
  fields_: {
    phase: word(PHASES, next()),
    outcome: OUTCOMES[next()],
    retryStopped: word(STOPPED, next()),
    status: known(next()),
    retryAfterMs: known(next()),
    limit: known(next()),
    bytesReceived: next(),
    elapsedMs: next(),
    attempts: Array.from({ length: next() }, () => readAttempt(next)),
  },
});
