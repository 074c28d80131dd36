// Makes the refusals of options.

import { INVALID_OPTION } from './generated.js';
import { Refusal, cut, isRefusal, safely, tagOf } from './errors.js';

export const refusal = (details: string, original?: unknown): Refusal => new Refusal(INVALID_OPTION, details, undefined, original);

/** Else a getter, or a proxy, of the caller threw. */
export const unreadable = (error: unknown, name: string): Refusal => (isRefusal(error) ? error : refusal(`${cut(name)}: reading it threw`, error));

/** Numbers only: a string may be a secret that went to the wrong place. */
export const shown = (value: unknown): string => (typeof value === 'number' ? `${value}` : (safely(() => tagOf(value).toLowerCase()) ?? typeof value));
