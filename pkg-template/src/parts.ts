// What only some clients use. The default entry loads it when an option needs it (PARTS in needs.js), all other entries
// have it in them. The rest of the facade calls it through `parts` of load.js, and only for calls whose options need it.
// Nothing in here imports from outside of it: see lent.js.

import type { Lending } from './lending.js';
import type { Actions } from './shapes.js';

import { ask } from './ask.js';
import { abandon, actOnAuth } from './auth-desk.js';
import { release } from './auth-work.js';
import { addToken, authOf, isUnauthorized, whyOf } from './auth.js';
import { circuitsOf, measureLater, placeInGuard, tellCircuit, tellDeadline, tellQueued, unqueue } from './guard.js';
import { askHeaders, askRequest, askResponse, giveError } from './hooks.js';
import { takeLent } from './lent.js';
import { tellProgress } from './progress.js';
import { ACTION_ASK, ACTION_AUTH, ACTION_CIRCUIT, ACTION_QUEUED } from './protocol.js';
import { tellTimed } from './timings.js';

/** What the rest of the facade calls. */
export interface Parts {
  /** Of the engine, by their numbers. */
  readonly actions_: Omit<Actions, typeof ACTION_AUTH> & { readonly [ACTION_AUTH]: typeof actOnAuth };
  readonly abandon_: typeof abandon;
  readonly addToken_: typeof addToken;
  readonly askHeaders_: typeof askHeaders;
  readonly askRequest_: typeof askRequest;
  readonly askResponse_: typeof askResponse;
  readonly authOf_: typeof authOf;
  readonly circuitsOf_: typeof circuitsOf;
  readonly giveError_: typeof giveError;
  readonly isUnauthorized_: typeof isUnauthorized;
  readonly measureLater_: typeof measureLater;
  readonly placeInGuard_: typeof placeInGuard;
  readonly release_: typeof release;
  readonly tellDeadline_: typeof tellDeadline;
  readonly tellProgress_: typeof tellProgress;
  readonly tellTimed_: typeof tellTimed;
  readonly unqueue_: typeof unqueue;
  readonly whyOf_: typeof whyOf;
}

export default (lending: Lending): Parts => {
  takeLent(lending);
  return {
    /** Of the engine, by their numbers. */
    actions_: { [ACTION_ASK]: ask, [ACTION_QUEUED]: tellQueued, [ACTION_CIRCUIT]: tellCircuit, [ACTION_AUTH]: actOnAuth },
    abandon_: abandon,
    addToken_: addToken,
    askHeaders_: askHeaders,
    askRequest_: askRequest,
    askResponse_: askResponse,
    authOf_: authOf,
    circuitsOf_: circuitsOf,
    giveError_: giveError,
    isUnauthorized_: isUnauthorized,
    measureLater_: measureLater,
    placeInGuard_: placeInGuard,
    release_: release,
    tellDeadline_: tellDeadline,
    tellProgress_: tellProgress,
    tellTimed_: tellTimed,
    unqueue_: unqueue,
    whyOf_: whyOf,
  };
};
