// Runs the hooks, and the functions among the header layers. The callers of these functions turn what a hook throws into CALLBACK_ERROR.

import type { AfterResponseHook, BeforeRequestState, BeforeRetryState, HookOptions } from '../hooks.js';
import type { AnsweredCall, CallState, ReadyCall, SentCall } from './call-state.js';
import type { Config, Init } from './config.js';
import type { KnownLayer } from './headers.js';
import type { AnyError } from './shapes.js';

import { askShouldRefresh } from './auth.js';
import { STOPPED_METHOD } from './generated.js';
import { provided } from './provided.js';
import { typeName } from './type-name.js';

const KEY = 'idempotency-key';

/** A hook for requests, which may be JavaScript and give anything. */
type Hook = (state: Omit<BeforeRequestState | BeforeRetryState, 'error' | 'retryCount'> & { error: AnyError | undefined; retryCount: number }) => unknown;

/** The result of `retry()`. */
type Demand = Readonly<Record<symbol, number>>;

/** Asks the functions among the header layers, once per call. */
export async function askHeaders(call: ReadyCall): Promise<void> {
  const layers = await Promise.all(call.layersToAsk_!.map((layer) => (typeof layer === 'function' ? layer() : layer)));
  for (const layer of layers) if (typeof layer !== 'object' || layer === null) throw wrong('headers', layer);
  call.layersToAsk_ = undefined;
  provided.setHeaders_(call, layers as KnownLayer[]);
  takeKey(call, call.init_.headers);
}

/**
 * Runs `beforeRequest`, or for a retry `beforeRetry`.
 * @returns what is to stand for the server's answer, or what stops the retry
 */
export async function askRequest(call: ReadyCall, attempt: number): Promise<Response | number | undefined> {
  const { beforeRequest, beforeRetry } = call.config_.hooks;
  const hooks = attempt === 1 ? beforeRequest : beforeRetry;
  // A resend is no retry: what the hooks made of the request is what is sent again.
  if (!hooks || call.isResend_) return undefined;
  const init = call.init_;
  const own = new Request(call.input_, init);
  const error = attempt === 1 ? undefined : attemptError(call as SentCall);
  let request = own;
  const options = shownOptions(call);
  for (const hook of hooks) {
    const given = await (hook as Hook)({ request, options, error, retryCount: retryCountOf(call), callId: call.callId_, attempt });
    if (call.isDone_) return undefined;
    if (given === undefined) continue;
    if (provided.isResponse_(given)) return given;
    if (!provided.isRequest_(given)) throw wrong('a request hook', given);
    request = given;
  }
  // The engine was asked about the request as it was: another one may not be one to repeat.
  const isNew = request.method !== own.method && !provided.isIdempotent_({ methodNumber_: provided.methods_.indexOf(request.method) });
  if (isNew) call.isSwapped_ = true;
  // To the server another key is another write.
  if (attempt === 1) takeKey(call, request.headers);
  else if (call.isKeyed_ && request.headers.get(KEY) !== call.isKeyed_) return STOPPED_METHOD;
  if (request !== own) await replace(call, request);
  else if (call.stream_ || !call.isReplayable_) {
    call.singleUseRequest_ = own;
    call.singleUseInit_ = restOf(init, own);
    provided.keepReset_(call.singleUseInit_, own);
  }
  else keepHeaders(call, own);
  return undefined;
}

/** The key as it is before the first attempt holds for all of them; if a hook removed it, there is only one attempt. */
function takeKey(call: CallState, headers: Init['headers']): void {
  if (!call.isKeyed_) return;
  const key = new Headers(headers).get(KEY);
  if (key) call.isKeyed_ = key;
  else call.isSwapped_ = true;
}

/** Changes of the headers by hooks hold for later attempts too. */
function keepHeaders({ init_: init }: ReadyCall, { headers }: Request): void {
  // The platform draws a new boundary for each send of a form.
  if (provided.is_(init.body, 'FormData')) headers.delete('content-type');
  init.headers = headers;
}

/** A hook gave a request of its own. Its body is kept for a repetition, if the call's own could be repeated. */
async function replace(call: ReadyCall, request: Request): Promise<void> {
  provided.check_(new URL(request.url));
  call.url_ = request.url;
  call.method_ = request.method;
  call.init_ = restOf(call.init_, request);
  call.bodyMaker_ = undefined;
  // The init of the caller is what the hook has seen in it.
  call.isInit_ = false;
  provided.takeRequest_(call, request);
  if (call.isRebuilt_) Object.assign(call.init_, { method: request.method, headers: new Headers(request.headers) });
  if ((call.isReplayable_ || call.isRebuilt_) && provided.hasBody_(request)) call.init_.body = await provided.bytesOf_(call, request);
}

/** The members of an init that a Request cannot carry, such as `dispatcher`, `next` or `cf`. */
const restOf = (init: Init, request: Request): Init =>
  Object.fromEntries(Object.entries(init).filter(([name]) => !(name in request) && !/^(body|duplex)$/.test(name)));

/** Runs `afterResponse`, then `shouldRefresh` of `auth`. */
export async function askResponse(call: AnsweredCall, response: Response): Promise<Response> {
  const { auth_: auth, hooks } = call.config_;
  call.demand_ = undefined;
  const given = hooks.afterResponse ? await askHooks(call, response, hooks.afterResponse) : response;
  if (auth && !call.isDone_) await askShouldRefresh(call, given, response);
  return given;
}

async function askHooks(call: AnsweredCall, response: Response, hooks: readonly AfterResponseHook[]): Promise<Response> {
  const request = new Request(call.url_, { method: call.method_, ...call.init_, body: undefined, signal: undefined } as object);
  const options = shownOptions(call);
  for (const hook of hooks) {
    const given = await hook({ request, options, response, retryCount: retryCountOf(call) });
    if (call.isDone_) break;
    if (given === undefined) continue;
    const demand = (given as Demand | null)?.[provided.demand_];
    if (demand !== undefined) {
      call.demand_ = demand;
      break;
    }
    if (!provided.isResponse_(given)) throw wrong('afterResponse', given);
    response = given;
  }
  return response;
}

/** Runs `beforeError`. */
export async function giveError(call: CallState, error: Error): Promise<Error> {
  for (const hook of call.config_.hooks.beforeError!) {
    const given: Partial<Error> | undefined = await hook({ error: error as AnyError, retryCount: Math.max(0, retryCountOf(call)) });
    // Of any realm.
    if (typeof given?.message !== 'string' || typeof given.name !== 'string') throw wrong('beforeError', given);
    error = given as Error;
  }
  return error;
}

/** How many retries there were: a resend is none. */
const retryCountOf = ({ attempt_: attempt, resends_: resends }: CallState): number => attempt - 1 - resends;

const wrong = (what: string, given: unknown): TypeError => new TypeError(`${what} gave ${typeName(given)}`);

/** The merged options as the caller would write them. */
function shownOptions({ config_: config, init_: init }: ReadyCall): HookOptions {
  const options: Record<string, Record<string, unknown>> & { headers?: never } = { retry: {} };
  for (const key of Object.keys(provided.options_)) {
    const [group, name] = key.split('.') as [string, string | undefined];
    if (config[key as keyof Config] === undefined) continue;
    if (name) (options[group] ??= {})[name] = config[key as keyof Config];
    else options[group] = config[key as keyof Config] as Record<string, unknown>;
  }
  return { ...options, headers: undefined, ...init };
}

/** The error of the attempt that is about to be retried. */
function attemptError(call: SentCall): AnyError {
  const attempts = [...call.log_!];
  const { code, status, phase } = attempts.at(-1)!;
  return provided.errorOf_(call, {
    code_: provided.codes_.indexOf(code!),
    fields_: { phase, outcome: provided.outcomeOf_(attempts), attempts, elapsedMs: call.elapsed_(), status },
  });
}
