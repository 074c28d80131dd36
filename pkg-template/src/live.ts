// Registers the engines, and the calls that have not ended.

import type { CallState } from './call-state.js';
import type { Config } from './config.js';
import type { Engine, Moment } from './shapes.js';

/** The times at which engines crashed. */
export const crashes: Moment[] = [];
/** Those that live: the one that new calls go to, and one that ends its calls after another has taken over. */
export const engines: Set<Engine> = new Set<Engine>();

/** After a call that failed, and when a client is closed, no timer stays armed for a next call. */
export const disarmTimers = (): void => engines.forEach((engine) => engine.disarmIdle_());

/** Calls whose readers have not been chosen: they begin with that, or in a microtask of the task that has made them. */
export const undecided: CallState[] = [];
/** Calls that wait for what they need. */
export const waiting: Set<CallState> = new Set<CallState>();

/** A call, or what goes on after it: both can be cancelled. */
export type OpenCall = Pick<CallState, 'view_' | 'isOut_' | 'cancel_'> & { readonly config_: Pick<Config, 'auth_'> };

/** Waits that go on after their call. */
export const postCalls: Set<OpenCall> = new Set<OpenCall>();

/** Every call that has not ended. */
export const openCalls = (): OpenCall[] => [...undecided, ...waiting, ...postCalls, ...[...engines].flatMap(({ calls_: calls }) => [...calls.values()])];

export function stopWaiting(call: CallState): void {
  clearTimeout(call.timer_);
  waiting.delete(call);
}
