// The request of a call: what fetch will be given, and the checks that come before anything is sent.

import { INVALID_REQUEST, METHODS } from './generated.js';
import { Refusal, is } from './errors.js';
import { mergeHeaders } from './headers.js';
import { takeBody } from './upload.js';
import { check, resolve } from './url.js';

/** The methods up to this one are idempotent (core/src/method.rs). */
const QUERY = METHODS.indexOf('QUERY');
const JSON_TYPE = { 'content-type': 'application/json' };
const MULTIPART_WITHOUT_BOUNDARY = /^\s*multipart\/(?!.*boundary\s*=)/i;

export const invalid = (details, original) => new Refusal(INVALID_REQUEST, details, undefined, original);

const isFunction = (value) => typeof value === 'function';

/**
 * Fills in the request of a call.
 * @param {import('./call.js').Call} call with its `config_` and `init_`
 * @param {string | undefined} method of a shortcut
 * @param {string | URL | Request} input
 */
export function build(call, method, input) {
  try {
    const { config_: config, init_: init } = call;
    const request = typeof input === 'object' && is(input, 'Request') ? input : undefined;
    takeUrl(call, config, request, input);
    if (method) init.method = method;
    call.method_ = `${init.method ?? request?.method ?? 'GET'}`.toUpperCase();
    call.methodNumber_ = Math.max(0, METHODS.indexOf(call.method_));
    call.signal_ = takeSignal('signal' in init ? init.signal : request?.signal);
    delete init.signal;
    takeHeaders(call, config, request);
    takeBody(call, config, request);
  } catch (error) {
    // Else the platform objected to a header, or a getter of the caller threw.
    throw error instanceof Refusal ? error : invalid('', error);
  }
}

function takeUrl(call, config, request, input) {
  if (!request) {
    call.input_ = call.url_ = resolve(input, config);
    return;
  }
  if (request.bodyUsed) throw invalid('the body of the Request has been used');
  call.url_ = resolve(request.url, config);
  call.input_ = call.url_ === request.url ? request : new Request(call.url_, request);
}

function takeSignal(signal) {
  if (signal === null || signal === undefined) return undefined;
  if (typeof signal.aborted !== 'boolean' || !signal.addEventListener) throw invalid('signal is not an AbortSignal');
  return signal;
}

function takeHeaders(call, config, request) {
  let layers = config.headers;
  const ofClient = call.view_.config_.headers.length;
  // A Request's own headers stand above those of the client; those of the call replace them, as in fetch.
  if (request && ofClient && layers.length === ofClient) layers = [...layers, request.headers];
  if ('json' in config) layers = [JSON_TYPE, ...layers];
  if (layers.some(isFunction)) call.layersToAsk_ = layers;
  else setHeaders(call, layers);
  // Nobody looks for the key of an idempotent method: it needs none.
  const headers = call.init_.headers ?? request?.headers;
  call.isKeyed_ = !!headers && !isIdempotent(call) && new Headers(headers).has('idempotency-key');
}

/** Once all layers are known: what a function gave stands in its place. */
export function setHeaders(call, layers) {
  const { init_: init, isFetch_: isFetch } = call;
  const [first] = layers;
  if (!first) return;
  const isPlain = layers.length === 1 && !Object.values(first).includes(undefined);
  if (isPlain && (isFetch || first === JSON_TYPE || init.body === undefined)) {
    // As given: what fetch makes of them is the platform's business.
    init.headers = first;
    return;
  }
  init.headers = mergeHeaders(layers);
  // Only the platform knows the boundary that it will use.
  if (!isFetch && MULTIPART_WITHOUT_BOUNDARY.test(init.headers.get('content-type'))) init.headers.delete('content-type');
}

const isIdempotent = ({ methodNumber_: number }) => number > 0 && number <= QUERY;

/** Whether a body has to be kept for a second send. The engine decides about that send; this only prepares for it. */
export function mayRepeat(call, config) {
  const { 'retry.limit': limit, 'retry.methods': methods, idempotent } = config;
  return limit !== 0 && (idempotent ?? (call.isKeyed_ || (methods ? methods.includes(call.method_) : isIdempotent(call))));
}
