// Decodes the engine's numbers into the words of the public API.

import type { AttemptInfo, Outcome, Phase } from '../errors.js';
import type { Failure, Get } from './shapes.js';

import { AUTH_REFRESH_FAILED, CODES, OUTCOMES, PHASES, STOPPED } from './generated.js';
import {
  ATTEMPT_CODE,
  ATTEMPT_ELAPSED,
  ATTEMPT_NUMBER,
  ATTEMPT_OUTCOME,
  ATTEMPT_PHASE,
  ATTEMPT_RESEND,
  ATTEMPT_SIZE,
  ATTEMPT_START,
  ATTEMPT_STATUS,
  FAILURE_ATTEMPTS,
  FAILURE_BYTES,
  FAILURE_CODE,
  FAILURE_ELAPSED,
  FAILURE_LIMIT,
  FAILURE_OUTCOME,
  FAILURE_PHASE,
  FAILURE_RETRY_AFTER,
  FAILURE_SESSION_LOST,
  FAILURE_SIZE,
  FAILURE_STATUS,
  FAILURE_STOPPED,
} from './protocol.js';

const known = (number: number): number | undefined => (Number.isNaN(number) ? undefined : number);
export const word = <Word extends string>(words: readonly (Word | '')[], number: number): Word | undefined => (words[number] as Word) || undefined;

/** An entry of `error.attempts`, which begins at a place. */
export const readAttempt = (get: Get, at: number): AttemptInfo => ({
  number: get(at + ATTEMPT_NUMBER),
  resend: !!get(at + ATTEMPT_RESEND),
  outcome: OUTCOMES[get(at + ATTEMPT_OUTCOME)] as Outcome,
  code: word(CODES, get(at + ATTEMPT_CODE)),
  status: known(get(at + ATTEMPT_STATUS)),
  phase: PHASES[get(at + ATTEMPT_PHASE)] as Phase,
  startMs: get(at + ATTEMPT_START),
  elapsedMs: get(at + ATTEMPT_ELAPSED),
});

/** A failed call, which begins at a place: the number of its code, and the fields of its error. */
export const readFailure = (get: Get, at: number): Failure => ({
  code_: get(at + FAILURE_CODE),
  fields_: {
    phase: word(PHASES, get(at + FAILURE_PHASE)),
    outcome: OUTCOMES[get(at + FAILURE_OUTCOME)] as Outcome,
    retryStopped: word(STOPPED, get(at + FAILURE_STOPPED)),
    status: known(get(at + FAILURE_STATUS)),
    retryAfterMs: known(get(at + FAILURE_RETRY_AFTER)),
    limit: known(get(at + FAILURE_LIMIT)),
    bytesReceived: get(at + FAILURE_BYTES),
    elapsedMs: get(at + FAILURE_ELAPSED),
    // Said of a session only where one was to be renewed.
    sessionLost: get(at + FAILURE_CODE) === AUTH_REFRESH_FAILED ? !!get(at + FAILURE_SESSION_LOST) : undefined,
    attempts: Array.from({ length: get(at + FAILURE_ATTEMPTS) }, (_, index) => readAttempt(get, at + FAILURE_SIZE + index * ATTEMPT_SIZE)),
  },
});
