// The optional chunk: what only some clients use. The default entry loads it when an option needs it (PARTS in features.ts), all other entries
// have it in them. The rest of the facade calls it through `parts` of optional.ts, and only for calls whose options need it. Nothing in here
// imports from outside of it: see provided.ts.

import type { Provided } from './provide.js';
import type { Actions } from './shapes.js';

import { ask } from './retry-callbacks.js';
import { abandon, actOnAuth } from './auth-session.js';
import { release } from './auth-callback.js';
import { addToken, authOf, isUnauthorized, failureDetailsOf } from './auth.js';
import { circuitsOf, measureLater, placeInAdmission, emitCircuit, addDeadline, emitQueued, unqueue } from './admission.js';
import { askHeaders, askRequest, askResponse, giveError } from './hooks.js';
import { setProvided } from './provided.js';
import { reportProgress } from './progress.js';
import { ACTION_ASK, ACTION_AUTH, ACTION_CIRCUIT, ACTION_QUEUED } from './protocol.js';
import { emitTimed } from './timings.js';

/** The functions that the rest of the facade calls. */
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
  readonly placeInAdmission_: typeof placeInAdmission;
  readonly release_: typeof release;
  readonly addDeadline_: typeof addDeadline;
  readonly reportProgress_: typeof reportProgress;
  readonly emitTimed_: typeof emitTimed;
  readonly unqueue_: typeof unqueue;
  readonly failureDetailsOf_: typeof failureDetailsOf;
}

export default (provide: Provided): Parts => {
  setProvided(provide);
  return {
    /** Of the engine, by their numbers. */
    actions_: { [ACTION_ASK]: ask, [ACTION_QUEUED]: emitQueued, [ACTION_CIRCUIT]: emitCircuit, [ACTION_AUTH]: actOnAuth },
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
    placeInAdmission_: placeInAdmission,
    release_: release,
    addDeadline_: addDeadline,
    reportProgress_: reportProgress,
    emitTimed_: emitTimed,
    unqueue_: unqueue,
    failureDetailsOf_: failureDetailsOf,
  };
};
