// Hands out the final response, or reads the body of the error that it is.

import type { AnsweredCall } from './call-state.js';
import type { EventKind } from './protocol.js';
import type { Get } from './shapes.js';

import { readTo } from './body.js';
import { collect } from './collect.js';
import { STOPPED } from './generated.js';
import { isMadeUpEmpty } from './response-head.js';
import { bodyOf, drop, newState } from './native-body.js';
import { word } from './decode.js';
import { parts } from './optional.js';
import { canReadNatively } from './options.js';
import { promised } from './promised.js';
import {
  BODY_END,
  DROPPED,
  FAILED,
  PROBED,
  RESPOND_ATTEMPTS,
  RESPOND_ELAPSED,
  RESPOND_STOPPED,
  STREAMING,
} from './protocol.js';
import { cover, isUntouched, readBy } from './response.js';

/** Gives the response to the caller. The call goes on until the body has ended. */
export function respond(call: AnsweredCall, get: Get): void {
  const response = call.response_;
  call.info_ = { attempts: get(RESPOND_ATTEMPTS), elapsedMs: get(RESPOND_ELAPSED), retryStopped: word(STOPPED, get(RESPOND_STOPPED)) };
  if (call.info_.retryStopped === 'budget') call.config_.counts_.budgetRefusals++;
  const { reading_: reading } = call;
  // Only the reader of the shortcut needs it, and reads it by its own member, also where it is a Proxy.
  const isDirect = reading && !call.promise_ && reading.how_ !== 'formData' && canReadNatively(call);
  if (isDirect && isUntouched(response)) call.direct_ = newState(response, call);
  else cover(response, call);
  const isUsed = call.isFetch_ && response.bodyUsed;
  if (call.isStreaming_) call.event_(STREAMING);
  call.hold_(false);
  parts?.reportProgress_(call, response);
  call.resolve_?.(response);
  // Somebody has read what a mock gives twice.
  if (isMadeUpEmpty(call)) drop(response);
  else if (isUsed) call.event_(DROPPED);
  if (reading) {
    const { how_: how, schema_: schema, resolve_: resolve, reject_: reject } = reading;
    if (call.direct_) readTo(resolve, reject, call.direct_, response, how, schema);
    else {
      const body = promised(() => readBy(response, how, schema));
      // The end of the call has rejected it already.
      if (call.hasFailed_) body.catch(() => {});
      resolve(body);
    }
  }
}

/** Reads the start of the body of HTTP_ERROR for `error.data`. */
export async function collectError(call: AnsweredCall): Promise<void> {
  const { attempt_: attempt } = call;
  let event: EventKind = BODY_END;
  let data: unknown;
  try {
    data = await collect(call, call.response_);
  } catch {
    event = FAILED;
  }
  // The engine may have given it up, and sent the next attempt.
  if (attempt !== call.attempt_) return;
  call.data_ = data;
  call.event_(event);
}

/** Whether the platform itself took the unread body, as `cache.put(response)` does, or there is none. */
export function probe(call: AnsweredCall): void {
  const response = call.response_;
  call.event_(PROBED, response.bodyUsed || !bodyOf(response) ? 1 : 0);
}
