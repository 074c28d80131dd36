// Request bodies: which can be sent again, and which cannot be sent at all.

import { INVALID_OPTION, INVALID_REQUEST, UNSUPPORTED } from './generated.js';
import { Refusal, is } from './errors.js';
import { invalid, mayRepeat } from './request.js';
import { pairs } from './url.js';

/** What the requests that outlive a page may carry (Fetch standard, section 4.6). */
const KEEPALIVE_BYTES = 65_536;

/** Reads the body options of a call. */
export function takeBody(call, config, request) {
  const { init_: init } = call;
  const isJson = 'json' in config;
  if (isJson + !!config.form + ('body' in init) > 1) throw new Refusal(INVALID_OPTION, 'only one of body, json and form');
  if (isJson) init.body = stringify(config.json);
  if (config.form) init.body = new URLSearchParams([...pairs(config.form)]);
  call.isKeepalive_ = !!(init.keepalive ?? request?.keepalive);
  call.isReplayable_ = true;
  if (typeof init.body === 'function') {
    call.bodyMaker_ = init.body;
    delete init.body;
  } else if (init.body !== undefined && init.body !== null) {
    call.isReplayable_ = !setBody(call, init.body);
  } else if (request && hasBody(request)) {
    call.isReplayable_ = !!mayRepeat(call, config);
    if (call.isReplayable_) call.requestToRead_ = call.input_;
  }
}

/** Checks a body and makes it that of the next attempt. Says whether it is a stream. */
export function setBody(call, body) {
  const { init_: init, config_: config } = call;
  init.body = body;
  const isStream = isStreamed(body);
  if (isStream) {
    if (!config.fetch && !canStream()) throw new Refusal(UNSUPPORTED, 'streamed uploads');
    if (!call.isFetch_) init.duplex ??= 'half';
    if (!config.fetch && !init.duplex) throw invalid("a stream as body needs duplex: 'half'");
  }
  if (call.isKeepalive_ && bytes(body) > KEEPALIVE_BYTES) throw invalid('a keepalive body above 64 KiB');
  return isStream;
}

/** Node takes every async iterable as a stream. */
export const isStreamed = (body) =>
  typeof body === 'object' && body !== null && (is(body, 'ReadableStream') || Symbol.asyncIterator in body);

/** Firefox has no `Request.body`: there all that can have a body may have one. */
export const hasBody = (request) =>
  'body' in request ? request.body !== null : request.method !== 'GET' && request.method !== 'HEAD';

let streams;

/** Firefox would send the text `[object ReadableStream]`, and never looks at `duplex`. */
function canStream() {
  if (streams !== undefined) return streams;
  let asked = false;
  try {
    const { headers } = new Request('http://localhost/', {
      method: 'POST',
      body: new ReadableStream(),
      get duplex() {
        asked = true;
        return 'half';
      },
    });
    streams = asked && !headers.has('content-type');
  } catch {
    streams = false;
  }
  return streams;
}

function stringify(value) {
  let text;
  let thrown;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    thrown = error;
  }
  if (text === undefined) throw new Refusal(INVALID_OPTION, 'json: not a JSON value', undefined, thrown);
  return text;
}

/** The size of a body as far as it can be told without sending it. */
function bytes(body) {
  if (is(body, 'URLSearchParams')) body = `${body}`;
  if (typeof body === 'string') return body.length > KEEPALIVE_BYTES ? body.length : new TextEncoder().encode(body).length;
  return body.size ?? body.byteLength ?? 0;
}

/** The body of a Request that may be sent again is read once; every send is built from it. */
export async function readRequest(call) {
  const request = call.requestToRead_;
  call.requestToRead_ = undefined;
  try {
    const body = await request.blob();
    // Only where nobody could say that there is none.
    if (body.size || 'body' in request) call.init_.body = body;
  } catch (error) {
    throw invalid('the body of the Request cannot be read', error);
  }
}

/** Files change and go: one byte of each is read before it is sent again. */
export async function checkUnchanged(body) {
  const parts = is(body, 'FormData') ? [...body.values()] : [body];
  try {
    for (const part of parts) if (part?.slice && part.arrayBuffer) await part.slice(0, 1).arrayBuffer();
  } catch (error) {
    throw new Refusal(INVALID_REQUEST, 'the file cannot be read any more', 'body-changed', error);
  }
}
