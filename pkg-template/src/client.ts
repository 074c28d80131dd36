// Clients: what `createClient` and `extend` give. All of them share one engine.

import type { Client } from '../client.js';
import type { Config, View } from './shapes.js';
import type { ScopeOptions } from './scope.js';

import { FETCH_DEFAULTS, INVALID_OPTION, METHODS, SCOPE_CLIENT } from './generated.js';
import { Call, fetchBy } from './call.js';
import { Refusal, errorWithoutCall } from './errors.js';
import { platformFetch, standIn } from './global-fetch.js';
import { want } from './load.js';
import { circuitsOf, metricsOf, newCounts } from './metrics.js';
import { NOTHING, merge, nextShared, pageUrl, withDefaults } from './options.js';
import { responsePromise } from './promise.js';
import { abortAll, close, readScope } from './scope.js';

export const createClient = (options?: unknown): Client => makeClient({ ...NOTHING, shared_: { ...NOTHING.shared_, retryBudget: nextShared() }, counts_: newCounts() }, options);

function makeClient(base: Config, options: unknown, parent?: View, scope?: ScopeOptions): Client {
  const config = mergeOptions(base, options);
  const view: View = {
    before_: platformFetch()!,
    config_: withDefaults(config, []),
    fetchConfig_: withDefaults(config, FETCH_DEFAULTS),
    parent_: parent,
    closed_: undefined,
    deadline_: parent?.deadline_ ?? Infinity,
    hasSignal_: !!(scope?.signal_ ?? parent?.hasSignal_),
    ...scope,
  };
  const client: any = (input: unknown, more: unknown) => shortcut(view, undefined, input, more);
  Object.assign(client, {
    request: client,
    fetch: standIn(view, fetchBy),
    extend: (more: unknown) => makeClient(config, more, view),
    scope(given = {}) {
      const scope = readScope(view, given);
      return makeClient(config, { reserve: scope.reserve_ }, view, scope);
    },
    abortAll: (reason: unknown) => abortAll(view, orAbortError(reason, 'abortAll was called')),
    close: (reason: unknown) => close(view, orAbortError(reason, 'the client was closed')),
    circuits: () => circuitsOf(config),
    metrics: () => metricsOf(config),
  });
  for (const method of METHODS) {
    if (method) client[method.toLowerCase()] = (input: unknown, more: unknown) => shortcut(view, method, input, more);
  }
  if (Symbol.dispose) client[Symbol.dispose] = () => client.close();
  return client;
}

function mergeOptions(base: Config, options: unknown): Config {
  try {
    const init = { ...base.init_ };
    const config: { -readonly [key in keyof Config]: Config[key] } = { ...merge(base, options, SCOPE_CLIENT, init), init_: init };
    if (config.auth_) config.home_ ??= config.baseUrl ?? pageUrl();
    if (config.auth_ && !(config['auth.origins'] ?? config.home_)) {
      throw new Refusal(INVALID_OPTION, 'auth: without a page it needs baseUrl or auth.origins');
    }
    want(config);
    return config;
  } catch (refusal) {
    throw errorWithoutCall(refusal as Refusal);
  }
}

function shortcut(view: View, method: string | undefined, input: unknown, options: unknown): unknown {
  const call = new Call(view, false);
  call.open_(method, input, options);
  return responsePromise(call);
}

const orAbortError = (reason: unknown, text: string): unknown => (reason === undefined ? new DOMException(text, 'AbortError') : reason);
