// What the engine says, in the words of the public API. The order of the numbers is that of docs/engine.md.

import type { AttemptInfo, ErrorCode, Outcome, Phase, RetryStopped } from '../errors.js';
import type { Failure, Next } from './shapes.js';

import { AUTH_REFRESH_FAILED, CODES, OUTCOMES, PHASES, STOPPED } from './generated.js';

const known = (number: number): number | undefined => (Number.isNaN(number) ? undefined : number);
/** Said of a session only where one was to be renewed. */
const lost = (code: number, number: number): boolean | undefined => (code === AUTH_REFRESH_FAILED ? !!number : undefined);
export const word = <Word extends string>(words: readonly string[], number: number): Word | undefined => (words[number] as Word) || undefined;

/** An entry of `error.attempts`. */
export const readAttempt = (next: Next): AttemptInfo => ({
  number: next(),
  resend: !!next(),
  outcome: OUTCOMES[next()] as Outcome,
  code: word<ErrorCode>(CODES, next()),
  status: known(next()),
  phase: PHASES[next()] as Phase,
  startMs: next(),
  elapsedMs: next(),
});

/** A failed call: the number of its code, and the fields of its error. */
export const readFailure = (next: Next): Failure => readFields(next(), next);

const readFields = (code: number, next: Next): Failure => ({
  code_: code,
  fields_: {
    phase: word<Phase>(PHASES, next()),
    outcome: OUTCOMES[next()] as Outcome,
    retryStopped: word<RetryStopped>(STOPPED, next()),
    status: known(next()),
    retryAfterMs: known(next()),
    limit: known(next()),
    bytesReceived: next(),
    elapsedMs: next(),
    sessionLost: lost(code, next()),
    attempts: Array.from({ length: next() }, () => readAttempt(next)),
  },
});
