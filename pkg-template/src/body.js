// Bodies, read to the end.

import { CALLBACK_ERROR, PARSE_ERROR, UNEXPECTED_RESPONSE } from './generated.js';
import { lateError } from './ending.js';
import { BODY_END, FAILED, READING } from './engine.js';
import { hasNoContent, headerOf, isOpaque } from './head.js';
import { canReadNatively } from './options.js';
import { tellProgress } from './progress.js';
import { bodyOf, callOriginal, hasOriginal, isLocked } from './response.js';

/** How much of the body of an error is read. */
const ERROR_BYTES = 65_536;

/**
 * Reads a body.
 * @param {import('./call.js').Call} call
 * @param {Response} response that of the call, or a clone
 * @param {string} how the name of the member
 * @param {object} [schema] Standard Schema
 */
export function read(call, response, how, schema) {
  if (call.hasFailed_) return Promise.reject(call.failure_);
  if (!call.isFetch_ && isOpaque(response)) return Promise.reject(lateError(call, UNEXPECTED_RESPONSE));
  if (isLocked(response)) return Promise.reject(new TypeError('the body is locked'));
  return new Promise((resolve, reject) => new Read(call, response, how, schema, resolve, reject).begin_());
}

class Read {
  constructor(call, response, how, schema, resolve, reject) {
    this.call_ = call;
    this.response_ = response;
    this.how_ = how;
    this.schema_ = schema;
    this.resolve_ = resolve;
    this.reject_ = reject;
    // The member of the platform's that gives what ours is made of. What a custom fetch made up may have no text.
    this.native_ =
      how === 'json' && hasOriginal(response, 'text')
        ? 'text'
        : how === 'bytes' && !hasOriginal(response, how)
          ? 'arrayBuffer'
          : how;
  }

  begin_() {
    const { call_: call, response_: response, native_: native } = this;
    // The platform has its own complaint about a second read; it is none about the call.
    const isSecond = response.bodyUsed === true;
    this.isNative_ =
      isSecond || call.isDone_ || (native !== 'formData' && (canReadNatively(call) || !bodyOf(response)?.getReader));
    if (isSecond) return this.resolve_(callOriginal(response, native));
    (call.waiting_ ??= []).push(this.reject_);
    call.hold_(true);
    call.event_(READING);
    const whole = this.isNative_ ? callOriginal(response, native) : gather(call, response);
    whole.then(
      (raw) => this.arrived_(raw),
      (error) => this.broke_(error),
    );
  }

  broke_(error) {
    const { call_: call } = this;
    if (call.isDone_) return this.reject_(error);
    call.original_ = error;
    call.event_(FAILED);
  }

  arrived_(raw) {
    const { native_: native, response_: response } = this;
    if (this.isNative_) return this.understand_(raw);
    if (native !== 'formData') return this.understand_(convert(raw, native, response));
    toForm(raw, response).then(
      (form) => this.finish_(form),
      (error) => this.spoil_(PARSE_ERROR, 'not a form', error),
    );
  }

  understand_(value) {
    const { call_: call, response_: response, how_: how, native_: native } = this;
    if (how === 'bytes' && native !== how) return this.finish_(new Uint8Array(value));
    if (how !== 'json') return this.finish_(value);
    if (native === 'text') {
      if (!value && !call.isFetch_ && hasNoContent(call, response)) {
        value = undefined;
      } else {
        try {
          value = JSON.parse(value);
        } catch (error) {
          return this.noJson_(value, error);
        }
      }
    }
    if (this.schema_) this.validate_(value);
    else this.finish_(value);
  }

  /** What the platform says about it may quote the body: only the place is taken over. */
  noJson_(text, error) {
    if (this.isNative_) this.call_.chunk_(new TextEncoder().encode(text).length, false);
    const place = /position \d+|line \d+ column \d+/.exec(error.message)?.[0];
    this.spoil_(PARSE_ERROR, text ? place : 'it is empty', error, text ? undefined : 'empty-body');
  }

  async validate_(value) {
    const { call_: call, schema_: schema } = this;
    call.isValidating_ = true;
    try {
      const result = await schema['~standard'].validate(value);
      call.isValidating_ = false;
      if (!result.issues) return this.finish_(result.value);
      call.issues_ = result.issues;
    } catch (error) {
      return this.spoil_(CALLBACK_ERROR, 'the schema threw', error);
    }
    this.spoil_(UNEXPECTED_RESPONSE, 'the schema refuses it');
  }

  finish_(value) {
    this.call_.event_(BODY_END, 0);
    this.resolve_(value);
  }

  spoil_(code, details, error, hint) {
    const { call_: call } = this;
    call.details_ = details;
    call.original_ = error;
    call.hint_ = hint;
    if (call.isDone_) this.reject_(lateError(call, code));
    else call.event_(BODY_END, code);
  }
}

/** Reads chunk by chunk, so that each can be counted, and each wait is known. */
async function gather(call, response, most = Infinity) {
  const parts = [];
  const reader = bodyOf(response)?.getReader();
  call.reader_ = reader;
  for (let size = 0; reader && size < most; ) {
    const { done, value } = await reader.read();
    if (done) return parts;
    parts.push(value);
    size += value.byteLength;
    call.chunk_(value.byteLength, true);
    tellProgress(call, response, value);
    // Too large, or cancelled by a listener: let go, if the fetch behind it knows no signals.
    if (call.hasFailed_) break;
  }
  reader?.cancel().catch(() => {});
  return parts;
}

const decode = (bytes) => new TextDecoder().decode(bytes);
const typeOf = (response) => headerOf(response, 'content-type') ?? '';

function convert(parts, native, response) {
  if (native === 'blob') return new Blob(parts, { type: typeOf(response) });
  if (native === 'text') return decode(parts.length === 1 ? parts[0] : join(parts));
  const bytes = join(parts);
  return native === 'bytes' ? bytes : bytes.buffer;
}

function join(parts) {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

const toForm = async (parts, response) =>
  new Response(new Blob(parts), { headers: { 'content-type': typeOf(response) } }).formData();

/** The first piece of an error's body: JSON by its type, else text. */
export async function collect(call, response) {
  const body = bodyOf(response);
  if (!body?.getReader) return hasOriginal(response, 'text') ? callOriginal(response, 'text') : undefined;
  const text = decode(join(await gather(call, response, ERROR_BYTES)).subarray(0, ERROR_BYTES));
  if (!/[/+]json\b/i.test(typeOf(response))) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
