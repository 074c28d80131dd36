// Makes clients: `createClient`, `extend` and `scope`. All of them share one engine.

import type { Client, Shortcut } from '../client.js';
import type { ClientOptions } from '../options.js';
import type { ResponsePromise } from '../response.js';
import type { Config, View } from './config.js';
import type { ScopeOptions } from './scope.js';

import { Call } from './call.js';
import { Refusal, errorWithoutCall } from './errors.js';
import { eventStream } from './event-stream.js';
import { FETCH_DEFAULTS, INVALID_OPTION, METHODS, SCOPE_CLIENT } from './generated.js';
import { platformFetch, standIn } from './global-fetch.js';
import { begin, beginLater, want } from './load.js';
import { circuitsOf, metricsOf, newCounts } from './metrics.js';
import { NOTHING, merge, nextShared, withDefaults } from './options.js';
import { responsePromise } from './promise.js';
import { abortAll, close, readScope } from './scope.js';
import { snapshot } from './upload.js';
import { pageUrl } from './url.js';

/** The members of a client that are no HTTP methods. */
type Members = Pick<Client, 'request' | 'fetch' | 'events' | 'extend' | 'scope' | 'abortAll' | 'close' | 'circuits' | 'metrics'>;

export const createClient = (options?: ClientOptions): Client => makeClient({ ...NOTHING, shared_: { ...NOTHING.shared_, retryBudget: nextShared() }, counts_: newCounts() }, options);

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
  const client = ((input, more) => shortcut(view, undefined, input, more)) as Client & Record<string, Shortcut>;
  Object.assign(client, {
    request: client,
    fetch: standIn(view, fetchBy) as Client['fetch'],
    events: (input, more) => eventStream(view, input, more, (options) => shortcut(view, undefined, input, options)),
    extend: (more) => makeClient(config, more, view),
    scope(given = {}) {
      const scope = readScope(view, given);
      return makeClient(config, { reserve: scope.reserve_ }, view, scope);
    },
    abortAll: (reason) => abortAll(view, orAbortError(reason, 'abortAll was called')),
    close: (reason) => close(view, orAbortError(reason, 'the client was closed')),
    circuits: () => circuitsOf(config),
    metrics: () => metricsOf(config),
  } satisfies Members);
  for (const method of METHODS) {
    if (method) client[method.toLowerCase()] = ((input, more) => shortcut(view, method, input, more)) as Shortcut;
  }
  if (Symbol.dispose) (client as { [Symbol.dispose]: () => void })[Symbol.dispose] = () => client.close();
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

/** A call through `api.fetch`. */
export const fetchBy = (view: View, input: unknown, init?: unknown): Promise<Response> =>
  new Promise((resolve, reject) => open(new Call(view, true, resolve, reject), undefined, input, init));

/** Reads the request of a call, and has it begun. */
function open(call: Call, method: string | undefined, input: unknown, options: unknown): void {
  call.open_(method, input, options);
  if (!call.isDone_) (call.isFetch_ || call.isKeepalive_ ? begin : beginLater)(call);
  // fetch does not have it yet, and the caller may change it.
  if (call.isFetch_ && !call.sentAt_ && call.init_?.body) call.init_.body = snapshot(call.init_.body) as BodyInit;
}

export function shortcut(view: View, method: string | undefined, input: unknown, options: unknown): ResponsePromise {
  const call = new Call(view, false);
  open(call, method, input, options);
  return responsePromise(call);
}

const orAbortError = (reason: unknown, text: string): unknown => (reason === undefined ? new DOMException(text, 'AbortError') : reason);
