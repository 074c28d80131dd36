// Ends the calls of a view together: `scope`, `abortAll` and `close`.

import type { CallState } from './call-state.js';
import type { View } from './config.js';

import { Refusal, errorWithoutCall } from './errors.js';
import { INVALID_OPTION, SCOPE_CALL } from './generated.js';
import { disarmTimers, openCalls } from './live.js';
import { NOTHING, asRefusal, merge, ownOf, totalTimeout } from './options.js';
import { checkSignal } from './signals.js';

/** The options of a scope, checked. */
export interface ScopeOptions {
  readonly reserve_: unknown;
  readonly signal_: AbortSignal | undefined;
  readonly isFailFast_: boolean;
  readonly deadline_: number;
}

/** @param given what the caller gave */
export function readScope(parent: View, given: unknown): ScopeOptions {
  try {
    if (typeof given !== 'object' || !given || Array.isArray(given)) throw new Refusal(INVALID_OPTION, 'scope: object');
    const { failFast = false, signal, totalTimeout: limit = false, reserve, ...rest } = ownOf(given);
    for (const key of Object.keys(rest)) throw new Refusal(INVALID_OPTION, `${key.slice(0, 40)} is not known in a scope`);
    if (typeof failFast !== 'boolean') throw new Refusal(INVALID_OPTION, 'failFast: boolean');
    const span = totalTimeout(merge(NOTHING, { totalTimeout: limit, reserve }, SCOPE_CALL, {}));
    return {
      reserve_: reserve,
      signal_: checkSignal(signal, INVALID_OPTION),
      isFailFast_: failFast,
      deadline_: Math.min(parent.deadline_, Math.ceil(performance.now()) + span),
    };
  } catch (error) {
    throw errorWithoutCall(asRefusal(error));
  }
}

/** Aborts the calls of this view and of those made from it. */
export function abortAll(view: View, cause: unknown): void {
  const isOurs = ({ view_: of }: { view_: View | undefined }) => {
    while (of && of !== view) of = of.parent_;
    return of;
  };
  // Those that wait go first: what the others hold would be theirs.
  const calls = openCalls().filter(isOurs).sort((one, other) => +one.isOut_ - +other.isOut_);
  for (const call of calls) call.cancel_(cause, false, view);
  disarmTimers();
}

export function close(view: View, reason: unknown): void {
  view.closed_ ??= { reason_: reason };
  abortAll(view, view.closed_.reason_);
}

/** With `failFast` the first call that fails ends its scope. Calls that were ended together have no first one. */
export function failFast(call: CallState, reason: unknown): void {
  const { endedBy_: ended } = call;
  let failing: View | undefined;
  for (let view: View | undefined = ended ? ended.parent_ : call.view_; view; view = view.parent_) {
    if (view.isFailFast_ && !view.closed_) failing = view;
  }
  // The outermost: those within end with it, and for the same reason.
  if (failing) close(failing, reason);
}
