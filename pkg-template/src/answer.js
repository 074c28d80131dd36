// The answer that counts: handed out, or read for the error that it is.

import { BODY_END, FAILED, STREAMING } from './engine.js';
import { collect } from './body.js';
import { tellProgress } from './progress.js';
import { cover } from './response.js';

/** Gives the response to the caller. The call goes on until the body has ended. */
export function respond(call, attempts, elapsedMs) {
  const { response_: response } = call;
  call.info_ = { attempts, elapsedMs };
  cover(response, call);
  if (call.isStreaming_) call.event_(STREAMING);
  call.hold_(false);
  tellProgress(call, response);
  call.resolve_(response);
}

/** Reads the start of the body of HTTP_ERROR for `error.data`. */
export async function collectError(call) {
  try {
    call.data_ = await collect(call, call.response_);
    call.event_(BODY_END, 0);
  } catch {
    call.event_(FAILED);
  }
}
