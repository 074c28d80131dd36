// `onLoadFailure: 'bare-fetch'`: a call without the engine, and so without any limit or retry.

import { HTTP_ERROR, NETWORK_ERROR } from './generated.js';
import { isThrown, makeReady } from './attempt.js';
import { collect } from './body.js';
import { fail, settle } from './ending.js';
import { Refusal } from './errors.js';
import { cover } from './response.js';

export async function fetchBarely(call) {
  call.via_ = 'bare-fetch';
  call.announce_();
  call.attempt_ = 1;
  try {
    const response = (await makeReady(call, 1)) ?? (await send(call));
    if (call.isDone_) return;
    call.response_ = response;
    if (isThrown(call, response.status)) {
      call.data_ = await collect(call, response).catch(() => undefined);
      return fail(call, HTTP_ERROR, 'headers');
    }
    call.info_ = { attempts: 1, elapsedMs: call.elapsed_() };
    cover(response, call);
    settle(call);
    call.resolve_(response);
  } catch (error) {
    call.why_ = error instanceof Refusal ? error : { original_: error };
    fail(call, error.code_ ?? NETWORK_ERROR, 'headers');
  }
}

function send(call) {
  const { config_: config, init_: init, once_: once, signal_: signal } = call;
  call.controller_ = new AbortController();
  call.sentAt_ = performance.now();
  // The caller's signal has to reach the body, which nobody watches any more.
  const signals = [call.controller_.signal, ...(signal ? [signal] : [])];
  const fetch = config.fetch ?? globalThis.fetch;
  return fetch(once ?? call.input_, { ...(once ? undefined : init), signal: AbortSignal.any(signals) });
}
