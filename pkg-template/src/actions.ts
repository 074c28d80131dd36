// Maps each kind of action of the engine to the function that performs it.

import type { Actions } from './shapes.js';

import { collectError, probe, respond } from './respond.js';
import { attemptEnded, prepare, send, emitRetry } from './attempt.js';
import { abandon, beforeError, onEnd } from './settle.js';
import { abort, discard } from './exchange.js';
import { writes } from './optional.js';
import {
  ACTION_ABANDON,
  ACTION_ABORT,
  ACTION_ATTEMPT_END,
  ACTION_BEFORE_ERROR,
  ACTION_COLLECT,
  ACTION_DISCARD,
  ACTION_END_FAILED,
  ACTION_END_WELL,
  ACTION_LOOK_UP,
  ACTION_PREPARE,
  ACTION_PROBE,
  ACTION_RESPOND,
  ACTION_RETRY,
  ACTION_SEND,
  ACTION_SHARE,
} from './protocol.js';

/** The handler of each kind of action. The optional chunk has the others. */
export const ACTIONS: Actions = {
  [ACTION_PREPARE]: prepare,
  [ACTION_SEND]: send,
  [ACTION_SHARE]: send,
  [ACTION_ABORT]: abort,
  [ACTION_DISCARD]: discard,
  [ACTION_RETRY]: emitRetry,
  [ACTION_LOOK_UP]: (call) => writes.lookUp_(call),
  [ACTION_ATTEMPT_END]: attemptEnded,
  [ACTION_RESPOND]: respond,
  [ACTION_COLLECT]: collectError,
  [ACTION_BEFORE_ERROR]: beforeError,
  [ACTION_PROBE]: probe,
  [ACTION_ABANDON]: abandon,
  [ACTION_END_WELL]: onEnd,
  [ACTION_END_FAILED]: onEnd,
};
