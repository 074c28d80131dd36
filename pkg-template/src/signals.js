// The signals of the caller, which may be anything that looks like one.

import { INVALID_REQUEST } from './generated.js';
import { Refusal, safely } from './errors.js';

const invalid = (code, original) => new Refusal(code, 'signal is not an AbortSignal', undefined, original);

/** A signal, or undefined for none. */
export function checkSignal(signal, code = INVALID_REQUEST) {
  if (signal === undefined || signal === null) return undefined;
  try {
    if (typeof signal.aborted === 'boolean' && signal.addEventListener.call && signal.removeEventListener.call) return signal;
  } catch (error) {
    throw invalid(code, error);
  }
  throw invalid(code);
}

/** The first of these that is aborted. */
export const abortedOf = (signals) => signals.find((signal) => safely(() => signal.aborted));

export const reasonOf = (signal) => safely(() => signal.reason);

/** Throws a Refusal where one of them takes no listener. */
export function listen(signals, listener) {
  try {
    for (const signal of signals) signal.addEventListener('abort', listener);
  } catch (error) {
    throw invalid(INVALID_REQUEST, error);
  }
}

export function unlisten(signals, listener) {
  for (const signal of signals) safely(() => signal.removeEventListener('abort', listener));
}
