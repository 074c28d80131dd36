// Decides which calls may be prepared for a second send.

import type { CallState } from './call-state.js';
import type { Config } from './config.js';

import { METHODS } from './generated.js';

/** The methods up to this one are idempotent (core/src/method.rs). */
const QUERY = METHODS.indexOf('QUERY');

export const isIdempotent = ({ methodNumber_: number }: Pick<CallState, 'methodNumber_'>): boolean => number > 0 && number <= QUERY;

/** Whether a body has to be kept for a second send. The engine decides about that send; this only prepares for it. */
export function mayRepeat(call: CallState, config: Config): unknown {
  const methods = config['retry.methods'] as readonly string[] | undefined;
  // After a 401 everything may be sent again.
  if (config.auth_) return true;
  return (
    config['retry.limit'] !== 0 &&
    (config.idempotent ?? (call.isKeyed_ || config.idempotencyKey || (methods ? methods.includes(call.method_) : isIdempotent(call))))
  );
}
