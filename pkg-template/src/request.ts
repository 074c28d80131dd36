// Builds the request of a call, and checks it before anything is sent.

import type { CallState, ReadyCall } from './call-state.js';
import type { Config, HeaderLayer } from './config.js';

import { is, isRefusal, isRequest, safely } from './errors.js';
import { METHODS } from './generated.js';
import { copyOf, mergeHeaders, type KnownLayer, wrongHeader } from './headers.js';
import { isIdempotent } from './idempotency.js';
import { checkSignal } from './signals.js';
import { takeBody } from './upload.js';
import { invalid, resolve } from './url.js';

const JSON_TYPE = { 'content-type': 'application/json' };
/** The platform knows the type of its own forms. */
const NO_TYPE = { 'content-type': undefined };
/** Members of a Request, of those that are neither its head nor its body. */
const MEMBERS: readonly (keyof Request & keyof RequestInit)[] = ['mode', 'credentials', 'cache', 'redirect', 'referrer', 'referrerPolicy', 'integrity', 'keepalive'];
const RESET: readonly (keyof Request & keyof RequestInit)[] = ['referrer', 'referrerPolicy'];
/** Of `referrerPolicy` and `referrer`, of which an empty one is none. */
const DEFAULTS: readonly unknown[] = [undefined, 'about:client'];
const LOCAL = /^(blob|data):/;
const HTTP = /^https?:/i;
const MULTIPART_WITHOUT_BOUNDARY = /^\s*multipart\/(?!.*boundary\s*=)/i;

/**
 * Fills in the request of a call.
 * @param call with its `config_` and `init_`
 * @param method of a shortcut
 */
export function build(call: ReadyCall, method: string | undefined, input: unknown): void {
  let part = 'URL';
  try {
    const config = call.config_;
    const init = call.init_;
    const request = isRequest(input) ? input : undefined;
    if (request?.bodyUsed && (init.body ?? config.form ?? config.json) === undefined) throw invalid('the body of the Request has been used');
    call.url_ = resolve(request ? request.url : input, config, call.isFetch_);
    call.input_ = call.url_;
    if (request) takeRequest(call, request);
    part = 'method';
    const asked = `${init.method ?? method ?? request?.method ?? 'GET'}`.toUpperCase();
    if (method && asked !== method) throw invalid(`method is not that of the shortcut, ${method}`);
    call.method_ = asked;
    // fetch itself makes only some methods upper case: `patch` would be sent as it is.
    if (call.isRebuilt_ || (!call.isFetch_ && METHODS.includes(asked))) init.method = asked;
    // A local URL gives the same the next time: the engine does not retry it.
    call.methodNumber_ = isLocal(call) ? 0 : Math.max(0, METHODS.indexOf(call.method_));
    takeSignal(call, init, request);
    part = 'headers';
    takeHeaders(call, config, request);
    part = 'body';
    takeBody(call, config, request);
  } catch (error) {
    // Else the platform objected to a header, or a getter of the caller threw.
    throw isRefusal(error) ? error : invalid((part === 'headers' && wrongHeader(call.config_.headers)) || `the ${part} cannot be read`, error);
  }
}

/** A custom fetch may know another scheme of a network. */
const isLocal = ({ url_: url, config_: config }: CallState): boolean => (config.fetch ? LOCAL.test(url) : !HTTP.test(url));

/** Makes a Request the input of fetch: rebuilt if it is one of another implementation, which the platform's fetch does not know. */
export function takeRequest(call: ReadyCall, request: Request): void {
  const { url_: url, config_: config, init_: init } = call;
  call.isRebuilt_ = !config.fetch && safely(() => Reflect.get(Request.prototype, 'url', request)) !== request.url;
  call.input_ = call.isRebuilt_ ? url : url === request.url ? request : new Request(url, request);
  // An init that is not empty resets two of them (Fetch standard, new Request): that is up to the caller's, not to ours.
  if (call.isRebuilt_) copyMembers(MEMBERS, request, init);
  else if (!call.isInit_) keepReset(init, request);
}

/** Puts into an init what it would reset of the Request that it stands beside. */
export const keepReset = (init: RequestInit, request: Request): void => copyMembers(RESET, request, init);

function copyMembers(names: readonly (keyof Request & keyof RequestInit)[], request: Request, init: RequestInit): void {
  for (const name of names) if (!DEFAULTS.includes(request[name])) init[name] ??= request[name] as never;
}

function takeSignal(call: ReadyCall, init: RequestInit, request: Request | undefined): void {
  let signal: AbortSignal | null | undefined = request?.signal;
  if (Object.hasOwn(init, 'signal')) {
    signal = init.signal;
    // That of the attempt comes in its place; to delete it would make the object slow.
    init.signal = undefined as never;
  }
  call.signal_ = checkSignal(signal);
}

function takeHeaders(call: ReadyCall, config: Config, request: Request | undefined): void {
  let layers = config.headers as HeaderLayer[];
  const { body } = call.init_;
  const isForm = config.form || is(body, 'FormData') || is(body, 'URLSearchParams');
  // Beside a Request fetch keeps the type of the Request.
  const type = config.json !== undefined ? JSON_TYPE : isForm && ((request && (config.form || !call.isFetch_)) || layers.length) && NO_TYPE;
  // From the weakest to the strongest: those of the client, those of a Request, the type of the body that the call has in
  // place of theirs, those of the call. The last replace those of a Request, as in fetch.
  if (type || (request && (layers.length || call.isRebuilt_))) {
    const own = layers.slice(call.view_.config_.headers.length);
    layers = layers.slice(0, layers.length - own.length);
    if (request && !own.length) layers.push(new Headers(request.headers));
    if (type) layers.push(type as HeaderLayer);
    layers.push(...own);
  }
  const known = layers.filter((layer): layer is KnownLayer => typeof layer !== 'function');
  if (known.length < layers.length) call.layersToAsk_ = layers.map(copyOf);
  // Those of functions come when the call has begun.
  setHeaders(call, known);
  // A method that may be retried without a key needs none.
  const headers = call.init_.headers ?? request?.headers;
  call.isKeyed_ = headers && (config['retry.methods'] || !isIdempotent(call)) && new Headers(headers).get('idempotency-key');
}

/** Once all layers are known: what a function gave stands in its place. */
export function setHeaders(call: ReadyCall, layers: readonly KnownLayer[]): void {
  const init = call.init_;
  const [first] = layers;
  if (!first) return;
  const isPlain = layers.length === 1 && !Object.values(first).includes(undefined);
  if (isPlain && (call.isFetch_ || first === JSON_TYPE || init.body === undefined)) {
    // The platform checks them.
    init.headers = (first === JSON_TYPE ? first : copyOf(first)) as HeadersInit;
    return;
  }
  const headers = (init.headers = mergeHeaders(layers));
  // Only the platform knows the boundary that it will use.
  if (!call.isFetch_ && MULTIPART_WITHOUT_BOUNDARY.test(headers.get('content-type')!)) headers.delete('content-type');
}

/** Says to the server what the reader takes, unless the caller has said it, or leaves it out. */
export function accept(call: ReadyCall, type: string): void {
  const { init_: init, input_: input, layersToAsk_: toAsk, config_: config } = call;
  const { headers = (input as Request).headers && new Headers((input as Request).headers) } = init;
  if (toAsk) call.layersToAsk_ = [{ accept: type }, ...toAsk];
  else if (config.headers.some((layer) => Object.keys(layer).some((name) => /^accept$/i.test(name)))) return;
  else if (!is(headers, 'Headers')) init.headers = { accept: type, ...headers };
  else if (!(headers as Headers).has('accept')) {
    (headers as Headers).set('accept', type);
    init.headers = headers;
  }
}

/** Checks the arguments as the platform's fetch does before it looks at the signal. */
export function checkArguments({ input_: input, init_: init }: ReadyCall): boolean {
  try {
    // Its value is used: bundlers drop a `new` whose value is not.
    return !new Request(input, init).url;
  } catch (error) {
    throw invalid(wrongHeader([init.headers ?? {}]), error);
  }
}
