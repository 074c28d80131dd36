// `onLoadFailure: 'bare-fetch'`: a call without the engine, and so without any limit or retry.

import { CALLBACK_ERROR, HTTP_ERROR, NETWORK_ERROR } from './generated.js';
import { prepare, send } from './attempt.js';
import { collect } from './body.js';
import { fail, settle } from './ending.js';
import { READY, REFUSED, CALLBACK_FAILED, FAILED, THROW } from './protocol.js';
import { cover } from './response.js';

const first = () => 1;

export function fetchBarely(call) {
  call.via_ = 'bare-fetch';
  call.announce_();
  prepare(call, first);
}

/** What the engine would make of an event. */
export function onBareEvent(call, kind, value) {
  if (kind === READY) send(call, first);
  else if (kind === REFUSED) fail(call, value, 'headers');
  else if (kind === CALLBACK_FAILED) fail(call, CALLBACK_ERROR, 'hook');
  else if (kind === FAILED) fail(call, NETWORK_ERROR, 'headers', value);
}

/** What the engine would make of the head of a response. */
export async function onBareHead(call, flags) {
  const response = call.response_;
  if (flags & THROW) {
    call.data_ = await collect(call, response).catch(() => undefined);
    return fail(call, HTTP_ERROR, 'headers');
  }
  call.info_ = { attempts: 1, elapsedMs: call.elapsed_() };
  cover(response, call);
  settle(call);
  call.resolve_(response);
}
