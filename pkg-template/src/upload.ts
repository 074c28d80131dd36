// Prepares request bodies: finds which can be sent again, and refuses those that cannot be sent.

import type { CallState, ReadyCall } from './call-state.js';
import type { Config } from './config.js';

import { Refusal, is } from './errors.js';
import { CALLBACK_ERROR, INVALID_OPTION, INVALID_REQUEST, UNSUPPORTED } from './generated.js';
import { runtime } from './runtime.js';
import { mayRepeat } from './idempotency.js';
import { KEEPALIVE_BYTES, piecesOf, sizeOf } from './keepalive.js';
import { invalid, toQuery } from './url.js';

/** Reads the body options of a call. */
export function takeBody(call: ReadyCall, config: Config, request: Request | undefined): void {
  const init = call.init_;
  const isJson = config.json !== undefined;
  if (+isJson + +!!config.form + +(init.body !== undefined) > 1) throw new Refusal(INVALID_OPTION, 'only one of body, json and form');
  if (isJson) init.body = stringify(config);
  if (config.form) init.body = toQuery('form', config.form);
  if (init.body && !config.fetch && /^(GET|HEAD)$/.test(call.method_)) {
    throw invalid(`a ${call.method_} has no body: use api.post, or api.query`);
  }
  call.isKeepalive_ = init.keepalive ?? request?.keepalive;
  call.isReplayable_ = true;
  if (typeof init.body === 'function') {
    call.bodyMaker_ = init.body as () => unknown;
    delete init.body;
  } else if (init.body !== undefined && init.body !== null) {
    setBody(call, !call.isFetch_ || mayRepeat(call, config) ? snapshot(init.body) : init.body);
    call.isReplayable_ = !call.stream_;
  } else if (request && hasBody(request)) {
    call.isReplayable_ = (call.isRebuilt_ || mayRepeat(call, config)) as boolean;
    if (call.isReplayable_) call.requestToRead_ = call.isRebuilt_ ? request : (call.input_ as Request);
  }
}

/** The body as it is now: the caller may change it before it is sent, or sent again. */
export function snapshot(body: unknown): unknown {
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  if (is(body, 'ArrayBuffer')) return (body as ArrayBuffer).slice();
  // Only the platform's own: a custom fetch may know others, and what they are made of.
  if (body instanceof URLSearchParams) return new URLSearchParams(body);
  if (!(body instanceof FormData)) return body;
  const copy = new FormData();
  for (const [name, value] of body) copy.append(name, value);
  return copy;
}

/** Checks a body and makes it that of the next attempt. */
export function setBody(call: ReadyCall, body: any): void {
  const init: RequestInit & { duplex?: 'half' } = call.init_;
  init.body = body;
  // Node takes every async iterable as a stream.
  if (is(body, 'ReadableStream') || body?.[Symbol.asyncIterator]) {
    if (!call.isFetch_) init.duplex ??= 'half';
    if (!call.config_.fetch) {
      if (!canStream()) throw new Refusal(UNSUPPORTED, 'streamed uploads');
      if (!init.duplex) throw invalid("a stream as body needs duplex: 'half'");
    }
    call.stream_ = call.config_.fetch || !body.pipeThrough ? body : relay(init, body);
  } else if (!call.isFetch_ && !call.config_.fetch && isSentAsText(body)) {
    throw invalid('fetch would send this body as its text: give json, form, or a body that it knows');
  }
  if (call.isKeepalive_ && sizeOf(body) > KEEPALIVE_BYTES) throw invalid('a keepalive body above 64 KiB');
}

/** Whether an object is none of those that the platform's fetch knows: it sends `[object Object]`, and does not say so. */
const isSentAsText = (body: unknown): boolean =>
  // Deno and Bun take these for bytes.
  Array.isArray(body) ||
  (typeof body === 'object' &&
    !ArrayBuffer.isView(body) &&
    /^\[object /.test(`${body}`) &&
    new Request('http://a', { method: 'POST', body: body as BodyInit }).headers.get('content-type') === 'text/plain;charset=UTF-8');

/** Firefox has no `Request.body`: there all that can have a body may have one. */
export const hasBody = (request: Request): unknown => ('body' in request ? request.body : !/^(GET|HEAD)$/.test((request as Request).method));

/** Chromium locks the stream that it sends, and leaves it open when the connection breaks: it gets another one to lock. */
function relay(init: RequestInit, body: ReadableStream): object {
  let controller: TransformStreamDefaultController;
  init.body = body.pipeThrough(new TransformStream({ start: (given) => (controller = given) as never }));
  // The signal of a pipe would wait for a chunk that is never read.
  return { cancel: async (reason: unknown) => controller.error(reason) };
}

let streams: boolean | undefined;

/** Browsers that would send the text `[object ReadableStream]`, or refuse it, never look at `duplex`. */
function canStream(): boolean {
  if (streams !== undefined) return streams;
  streams = runtime.isServer_;
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      streams = true;
      return 'half';
    },
  };
  try {
    return (new Request('http://a', init) && streams) as boolean;
  } catch {
    // A refusal is an answer too.
    return streams;
  }
}

function stringify({ json, stringifyJson }: Config): string {
  let text: unknown;
  let thrown: unknown;
  try {
    text = ((stringifyJson as typeof JSON.stringify | undefined) ?? JSON.stringify)(json);
  } catch (error) {
    thrown = error;
  }
  if (typeof text === 'string') return text;
  if (!stringifyJson) throw new Refusal(INVALID_OPTION, 'json: not a JSON value', undefined, thrown);
  throw new Refusal(CALLBACK_ERROR, `stringifyJson gave no string`, undefined, thrown);
}

/** The body of a Request that may be sent again is read once; every send is built from it. */
export async function readRequest(call: ReadyCall): Promise<void> {
  const request = call.requestToRead_!;
  call.requestToRead_ = undefined;
  const body: any = await bytesOf(call, request);
  // Empty only where the Request cannot tell whether it has one.
  if (body.size || body.byteLength || 'body' in request) setBody(call, body);
}

/** The whole body of a Request. A Blob of another implementation would be sent as the text `[object Blob]`. */
export async function bytesOf(call: CallState, request: Request): Promise<Blob | ArrayBuffer> {
  try {
    return await (call.isRebuilt_ ? request.arrayBuffer() : request.blob());
  } catch (error) {
    throw invalid('the body of the Request cannot be read', error);
  }
}

/** Files change and go: one byte of each is read before it is sent again. */
export async function checkUnchanged(body: unknown): Promise<void> {
  try {
    for (const piece of piecesOf(body)) {
      if (piece?.slice && piece.arrayBuffer) await piece.slice(0, 1).arrayBuffer();
    }
  } catch (error) {
    throw new Refusal(INVALID_REQUEST, 'the file cannot be read any more', 'body-changed', error);
  }
}
