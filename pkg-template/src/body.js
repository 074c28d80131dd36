// Bodies, read to the end.

import { hangUp } from './attempt.js';
import { CALLBACK_ERROR, INVALID_OPTION, NETWORK_ERROR, PARSE_ERROR, UNEXPECTED_RESPONSE } from './generated.js';
import { lateError } from './ending.js';
import { safely } from './errors.js';
import { hasNoContent, headerOf, isMadeUpEmpty, isOpaque, lengthOf } from './head.js';
import { parts } from './load.js';
import { canReadNatively, shown } from './options.js';
import { BODY_END, FAILED, READING } from './protocol.js';
import { promised } from './promise.js';
import { bodyOf, drop } from './response.js';

/** How much of the body of an error is read. */
const ERROR_BYTES = 65_536;

/**
 * Reads a body.
 * @param {object} state of the response, which is that of a call, or a clone
 * @param {Response} response
 * @param {string} how the name of the member
 * @param {object} [schema] Standard Schema
 * @returns {Promise<unknown>}
 */
export const read = ({ call_: call, original_: original, stream_: stream }, response, how, schema) =>
  new Promise((resolve, reject) => {
    // The platform's member that gives what ours is made of. What a custom fetch made up may have no text.
    const isEmpty = isMadeUpEmpty(call, response);
    const native = how === 'json' && (isEmpty || original.text) ? 'text' : how === 'bytes' ? 'arrayBuffer' : how;

    function understand(value) {
      if (how === 'bytes') value = new Uint8Array(value);
      if (how === 'json' && native === 'text') {
        const isNothing = !value && !call.isFetch_ && hasNoContent(call, response);
        try {
          value = isNothing ? undefined : parse(call, value);
        } catch (error) {
          // Of a length that was stated the platform gives no more, and no less.
          const length = lengthOf(response);
          if (isNative) call.chunk_(length >= 0 ? length : new TextEncoder().encode(value).length);
          if (safely(() => error.name) !== 'SyntaxError') {
            call.isValidating_ = true;
            return spoil(CALLBACK_ERROR, 'parseJson threw', error);
          }
          // What the platform says may quote the body: only the place is taken over.
          const place = /position \d+|line \d+ column \d+/.exec(error.message)?.[0];
          return spoil(PARSE_ERROR, value ? place : 'it is empty', error, value ? undefined : 'empty-body');
        }
      }
      if (schema) validate(value);
      else finish(value);
    }

    async function validate(value) {
      call.isValidating_ = true;
      try {
        const result = await schema['~standard'].validate(value);
        call.isValidating_ = false;
        call.issues_ = result.issues;
        if (!call.issues_) return finish(result.value);
      } catch (error) {
        return spoil(CALLBACK_ERROR, 'the schema threw', error);
      }
      spoil(UNEXPECTED_RESPONSE, 'the schema refuses it');
    }

    function finish(value) {
      // The time is of interest to observers only.
      if (call.config_.onEvent) call.event_(BODY_END);
      else call.eventUntimed_(BODY_END);
      resolve(value);
    }

    function spoil(code, details, original, hint) {
      call.why_ = { details_: details, original_: original, hint_: hint };
      if (call.isDone_) reject(lateError(call, code));
      else call.event_(BODY_END, code);
    }

    /** Somebody has read it: a reader of ours, which goes on, or whoever made it. */
    function complain() {
      const why = call.why_;
      call.why_ = { details_: 'the body has been used already' };
      if (call.isDone_ || call.waiting_) {
        reject(lateError(call, UNEXPECTED_RESPONSE));
        call.why_ = why;
      } else {
        call.waiting_ = [reject];
        call.event_(BODY_END, UNEXPECTED_RESPONSE);
      }
    }

    if (call.hasFailed_) return reject(call.failure_);
    if (!call.isFetch_ && isOpaque(response)) return spoil(UNEXPECTED_RESPONSE, 'it is opaque');
    // A reader of the covered body locks nothing of the platform's.
    if (stream?.locked) return reject(new TypeError('the body is locked'));
    // The platform has its own complaint about a second read; it is none about the call.
    if (response.bodyUsed && !isEmpty) return call.isFetch_ ? resolve(original[native].call(response)) : complain();
    // A form is read by hand, to tell one that is broken from a broken connection.
    const isFree = canReadNatively(call);
    const isNative = isEmpty || call.isDone_ || (how !== 'formData' && (isFree || !bodyOf(response)?.getReader));
    call.isBlind_ = isNative;
    (call.waiting_ ??= []).push(reject);
    if (schema !== undefined && typeof safely(() => schema['~standard'].validate) !== 'function') {
      drop(response);
      return spoil(INVALID_OPTION, `schema: one of Standard Schema, with '~standard', not ${shown(schema)}`);
    }
    call.hold_(true);
    // A clock that cannot be the first to run out may start a little early.
    if (isFree) call.eventUntimed_(READING);
    else call.event_(READING);
    promised(() => (isEmpty ? new Response(null)[native]() : isNative ? original[native].call(response) : gather(call, response)))
      .then((raw) => {
        // Whoever waited has been told.
        if (call.hasFailed_) return;
        if (isNative) return understand(raw);
        const bytes = join(raw);
        if (native === 'text') return understand(decode(bytes));
        // Whatever the platform makes of bytes, it makes of these.
        const whole = new Response(bytes, { headers: { 'content-type': typeOf(response) } });
        whole[native]().then(understand, (error) => spoil(PARSE_ERROR, 'not a form', error));
      })
      // Also more text than a string can hold.
      .catch((error) => {
        call.why_ = { original_: error };
        if (call.isDone_) reject(lateError(call, NETWORK_ERROR));
        else call.event_(FAILED);
      });
  });

/** Reads chunk by chunk, so that each can be counted, and each wait is known. */
async function gather(call, response, most = Infinity) {
  const pieces = [];
  const reader = (call.reader_ = bodyOf(response)?.getReader());
  for (let size = 0; reader && size < most; ) {
    const { done, value } = await reader.read();
    if (done) return pieces;
    pieces.push(value);
    size += value.byteLength;
    call.chunk_(value.byteLength, true);
    parts?.tellProgress_(call, response, value);
    // Too large, or cancelled by an observer.
    if (call.hasFailed_) break;
  }
  reader?.cancel().catch(() => {});
  hangUp(call);
  return pieces;
}

function join(pieces) {
  if (pieces.length === 1) return pieces[0];
  const bytes = new Uint8Array(pieces.reduce((size, part) => size + part.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

const parse = ({ config_: config }, text) => (config.parseJson ?? JSON.parse)(text);

/** An encoding that the platform does not know is taken for UTF-8. */
function decode(bytes, encoding) {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const typeOf = (response) => headerOf(response, 'content-type') ?? '';

/** The first piece of an error's body: JSON by its type, else text; undefined if there is none. */
export async function collect(call, response) {
  const type = typeOf(response);
  const text = bodyOf(response)?.getReader
    ? decode(join(await gather(call, response, ERROR_BYTES)).subarray(0, ERROR_BYTES), /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1])
    : await response.text?.();
  try {
    if (/^[^;,]*[/+]json\s*([;,]|$)/i.test(type)) return parse(call, text);
  } catch {
    // The text is all there is.
  }
  return text || undefined;
}
