// Clients: what `createClient` and `extend` give. All of them share one engine.

import { FETCH_DEFAULTS, INVALID_OPTION, METHODS, SCOPE_CLIENT } from './generated.js';
import { Call, fetchBy } from './call.js';
import { Refusal, errorWithoutCall } from './errors.js';
import { platformFetch, standIn } from './global-fetch.js';
import { want } from './load.js';
import { circuitsOf, metricsOf, newCounts } from './metrics.js';
import { NOTHING, merge, nextShared, pageUrl, withDefaults } from './options.js';
import { responsePromise } from './promise.js';
import { abortAll, close, readScope } from './scope.js';

export const createClient = (options) => makeClient({ ...NOTHING, shared_: { ...NOTHING.shared_, retryBudget: nextShared() }, counts_: newCounts() }, options);

function makeClient(base, options, parent, scope) {
  const config = mergeOptions(base, options);
  const view = {
    before_: platformFetch(),
    config_: withDefaults(config, []),
    fetchConfig_: withDefaults(config, FETCH_DEFAULTS),
    parent_: parent,
    closed_: undefined,
    deadline_: parent?.deadline_ ?? Infinity,
    hasSignal_: !!(scope?.signal_ ?? parent?.hasSignal_),
    ...scope,
  };
  const client = (input, more) => shortcut(view, undefined, input, more);
  Object.assign(client, {
    request: client,
    fetch: standIn(view, fetchBy),
    extend: (more) => makeClient(config, more, view),
    scope(given = {}) {
      const scope = readScope(view, given);
      return makeClient(config, { reserve: scope.reserve_ }, view, scope);
    },
    abortAll: (reason) => abortAll(view, orAbortError(reason, 'abortAll was called')),
    close: (reason) => close(view, orAbortError(reason, 'the client was closed')),
    circuits: () => circuitsOf(config),
    metrics: () => metricsOf(config),
  });
  for (const method of METHODS) {
    if (method) client[method.toLowerCase()] = (input, more) => shortcut(view, method, input, more);
  }
  if (Symbol.dispose) client[Symbol.dispose] = () => client.close();
  return client;
}

function mergeOptions(base, options) {
  try {
    const init = { ...base.init_ };
    const config = { ...merge(base, options, SCOPE_CLIENT, init), init_: init };
    if (config.auth_) config.home_ ??= config.baseUrl ?? pageUrl();
    if (config.auth_ && !(config['auth.origins'] ?? config.home_)) {
      throw new Refusal(INVALID_OPTION, 'auth: without a page it needs baseUrl or auth.origins');
    }
    want(config);
    return config;
  } catch (refusal) {
    throw errorWithoutCall(refusal);
  }
}

function shortcut(view, method, input, options) {
  const call = new Call(view, false);
  call.open_(method, input, options);
  return responsePromise(call);
}

const orAbortError = (reason, text) => (reason === undefined ? new DOMException(text, 'AbortError') : reason);
