// Clients: what `createClient` and `extend` give. All of them share one engine.

import { METHODS, SCOPE_CLIENT } from './generated.js';
import { Call } from './call.js';
import { errorWithoutCall } from './errors.js';
import { openCalls, want } from './load.js';
import { NOTHING, merge } from './options.js';
import { responsePromise } from './promise.js';

export const createClient = (options) => makeClient(NOTHING, options);

function makeClient(base, options, parent) {
  const view = { config_: mergeOptions(base, options), parent_: parent, closed_: undefined };
  const client = {
    fetch: (input, init) =>
      new Promise((resolve, reject) => new Call(view, true, resolve, reject).open_(undefined, input, init)),
    extend: (more) => makeClient(view.config_, more, view),
    abortAll: (reason) => abortAll(view, reason),
    close(reason) {
      view.closed_ ??= { reason_: orAbortError(reason, 'the client was closed') };
      abortAll(view, view.closed_.reason_);
    },
  };
  for (const method of METHODS) {
    if (method && method !== 'OPTIONS') client[method.toLowerCase()] = (input, more) => shortcut(view, method, input, more);
  }
  if (Symbol.dispose) client[Symbol.dispose] = () => client.close();
  return client;
}

function mergeOptions(base, options) {
  try {
    const init = { ...base.init_ };
    const config = { ...merge(base, options, SCOPE_CLIENT, init), init_: init };
    want(config);
    return config;
  } catch (refusal) {
    throw errorWithoutCall(refusal);
  }
}

function shortcut(view, method, input, options) {
  let call;
  const promise = new Promise((resolve, reject) => {
    call = new Call(view, false, resolve, reject);
  });
  call.open_(method, input, options);
  return responsePromise(promise, call);
}

/** Of this view and of those made from it. */
function abortAll(view, reason) {
  const cause = orAbortError(reason, 'abortAll was called');
  for (const call of openCalls()) {
    let of = call.view_;
    while (of && of !== view) of = of.parent_;
    if (of) call.cancel_(cause);
  }
}

const orAbortError = (reason, text) => (reason === undefined ? new DOMException(text, 'AbortError') : reason);
