// Makes what an `afterResponse` hook returns to have a response retried.

import type { RetryDemand } from '../hooks.js';

import { Refusal, errorWithoutCall } from './errors.js';
import { INVALID_OPTION } from './generated.js';
import { shown } from './invalid-option.js';

/** Where the wait is. Registered, so that a hook may be of another copy of the package. */
export const DEMAND: symbol = Symbol.for('steadfetch.retry');

export function retry({ delay }: { readonly delay?: number | undefined } = {}): RetryDemand {
  if (delay === undefined || (Number.isFinite(delay) && delay >= 0)) return { [DEMAND]: +(delay ?? NaN) };
  throw errorWithoutCall(new Refusal(INVALID_OPTION, `retry: delay: milliseconds, 0 or more, not ${shown(delay)}`));
}
