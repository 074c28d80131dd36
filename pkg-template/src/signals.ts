// Checks and listens to the caller's signals, which may be anything that looks like one.

import { INVALID_REQUEST } from './generated.js';
import { Refusal, safely } from './errors.js';

const invalid = (code: number, original?: unknown): Refusal => new Refusal(code, 'signal is not an AbortSignal', undefined, original);

/** An object that looks like one. A function has a `call`. */
type Signal = { aborted: unknown; addEventListener: { call?: unknown }; removeEventListener: { call?: unknown } };

/** A signal, or undefined for none. */
export function checkSignal(given: unknown, code: number = INVALID_REQUEST): AbortSignal | undefined {
  if (given === undefined || given === null) return undefined;
  try {
    const signal = given as Signal;
    if (typeof signal.aborted === 'boolean' && signal.addEventListener.call && signal.removeEventListener.call) return given as AbortSignal;
  } catch (error) {
    throw invalid(code, error);
  }
  throw invalid(code);
}

/** The first of these that is aborted. */
export const abortedOf = (signals: readonly AbortSignal[]): AbortSignal | undefined => signals.find((signal) => safely(() => signal.aborted));

export const reasonOf = (signal: unknown): unknown => safely(() => (signal as AbortSignal).reason as unknown);

/** Throws a Refusal where one of them takes no listener. */
export function listen(signals: readonly AbortSignal[], listener: EventListenerObject): void {
  try {
    for (const signal of signals) signal.addEventListener('abort', listener);
  } catch (error) {
    throw invalid(INVALID_REQUEST, error);
  }
}

export function unlisten(signals: readonly AbortSignal[], listener: EventListenerObject): void {
  for (const signal of signals) safely(() => signal.removeEventListener('abort', listener));
}
