// Releases what an attempt holds of the platform: abort controller, body, keepalive bytes.

import type { CallState } from './call-state.js';

import { releaseKept } from './keepalive.js';
import { cancelBody, drop } from './native-body.js';

export function abort(call: CallState): void {
  const controller = call.controller_;
  call.controller_ = undefined;
  controller?.abort(call.cause_);
  // A custom fetch may know no signals. The platform's does: a second cancel of a clone's body is one too many for Node.
  if (call.config_.fetch) releaseBody(call);
}

export function discard(call: CallState): void {
  releaseBody(call);
  hangUp(call);
}

/** After a cancel of the body: one that stalls keeps its connection in Firefox, until the request is aborted. */
export function hangUp(call: CallState): void {
  // A hook may be reading a clone.
  if (!call.config_.hooks.afterResponse) call.controller_?.abort();
}

function releaseBody({ reader_: reader, response_: response }: CallState): void {
  if (reader) cancelBody(reader);
  else drop(response);
}

/** Whether an attempt is out, for the counts. */
export function setOut(call: CallState, isOut: boolean): void {
  // The request is over with the body of its answer.
  if (call.kept_ && (isOut || call.isDone_ || call.status_ === undefined)) releaseKept(call);
  if (call.isOut_ === isOut) return;
  call.isOut_ = isOut;
  call.config_.counts_.inFlight += isOut ? 1 : -1;
}
