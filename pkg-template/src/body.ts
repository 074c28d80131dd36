// Reads bodies to the end, within the limits of their call.

import type { Hint } from '../errors.js';
import type { CallState, How, LooseState, Reader, Reject, Resolve, ResponseState, Schema } from './call-state.js';

import { failWith } from './settle.js';
import { Refusal, is, isRefusal, rejectWith, safely } from './errors.js';
import { hangUp } from './exchange.js';
import { lateError } from './failure.js';
import { CALLBACK_ERROR, INVALID_OPTION, NETWORK_ERROR, PARSE_ERROR, UNEXPECTED_RESPONSE } from './generated.js';
import { hasNoContent, headerOf, isMadeUpEmpty, isOpaque, lengthOf } from './response-head.js';
import { refusal, shown } from './invalid-option.js';
import { bodyIn, cancelBody } from './native-body.js';
import { parts } from './optional.js';
import { canReadNatively, isCounted } from './options.js';
import { promised } from './promised.js';
import { BODY_END, FAILED, READING } from './protocol.js';

/**
 * Reads a body.
 * @param state of the response, which is that of a call, or a clone
 * @param how the name of the member
 */
export const read = (state: ResponseState, response: Response, how: How, schema: Schema | undefined): Promise<unknown> =>
  new Promise((resolve, reject) => readTo(resolve, reject, state, response, how, schema));

/** The same for a promise that there is already. */
export function readTo(resolve: Resolve, reject: Reject, state: ResponseState, response: Response, how: How, schema: Schema | undefined): void {
  const { call_: call, original_: original, target_: target, stream_: stream } = state;
  // The platform's member that ours is made of. A response of a custom fetch may have no `text`.
  const isEmpty = isMadeUpEmpty(call);
  let isNative: unknown;
  const native: How = how === 'json' && (isEmpty || safely(() => original.text)) ? 'text' : how === 'bytes' ? 'arrayBuffer' : how;

  function onRaw(value: unknown): unknown {
    if (how === 'bytes') value = new Uint8Array(value as ArrayBuffer);
    if (how === 'json' && native === 'text') {
      const isNothing = !value && !call.isFetch_ && hasNoContent(call);
      try {
        value = isNothing ? undefined : parse(call, value as string);
      } catch (error) {
        // Of a length that was stated the platform gives no more, and no less.
        const length = lengthOf(response);
        if (isNative) call.chunk_(length >= 0 ? length : new TextEncoder().encode(value as string).length);
        if (safely(() => (error as Error).name) !== 'SyntaxError') {
          call.isValidating_ = true;
          return failBody(CALLBACK_ERROR, 'parseJson threw', error);
        }
        // The platform's message may quote the body: only the position is taken over.
        const place = /position \d+|line \d+ column \d+/.exec((error as Error).message)?.[0];
        return failBody(PARSE_ERROR, value ? place : 'it is empty', error, value ? undefined : 'empty-body');
      }
    }
    if (schema) validate(value);
    else onValue(value);
  }

  async function validate(value: unknown): Promise<void> {
    call.isValidating_ = true;
    try {
      const result = await schema!['~standard'].validate(value);
      call.isValidating_ = false;
      call.issues_ = result.issues;
      if (!call.issues_) return onValue((result as { value: unknown }).value);
    } catch (error) {
      return failBody(CALLBACK_ERROR, 'the schema threw', error);
    }
    failBody(UNEXPECTED_RESPONSE, 'the schema refuses it');
  }

  function onValue(value: unknown): void {
    // The time is of interest to observers only.
    if (call.config_.onEvent) call.event_(BODY_END);
    else call.eventUntimed_(BODY_END);
    resolve(value);
  }

  function failBody(code: number, details: string | undefined, original?: unknown, hint?: Hint): void {
    call.failureDetails_ = { details_: details, original_: original, hint_: hint };
    if (call.isDone_) rejectWith(resolve, reject, lateError(call, code));
    else call.event_(BODY_END, code);
  }

  /** A reader of ours has read it, and goes on; or whatever made it has. */
  function onUsed(): void {
    // The platform has an error of its own for a second read, which does not name the call.
    if (call.isFetch_) return target.bodyUsed ? resolve(original[native].call(target)) : reject(new TypeError('the body has been read already'));
    const why = call.failureDetails_;
    call.failureDetails_ = { details_: 'the body has been read already', advice_: 'read it once, or clone the response first' };
    if (call.isDone_ || call.waiting_) {
      rejectWith(resolve, reject, lateError(call, UNEXPECTED_RESPONSE));
      call.failureDetails_ = why;
    } else {
      call.waiting_ = [resolve, reject];
      call.event_(BODY_END, UNEXPECTED_RESPONSE);
    }
  }

  /** The body breaks, or is that of a made-up response which throws. */
  function onLost(error: unknown): void {
    state.isBare_ = false;
    if (isRefusal(error)) return failBody(error.code_, error.details_);
    call.failureDetails_ = { original_: error };
    if (call.isDone_) return rejectWith(resolve, reject, lateError(call, NETWORK_ERROR));
    if (!call.waiting_?.includes(reject)) (call.waiting_ ??= []).push(resolve, reject);
    call.event_(FAILED);
  }

  try {
    if (call.hasFailed_) return reject(call.failure_);
    if (!call.isFetch_ && !call.status_ && isOpaque(response)) {
      (call.waiting_ ??= []).push(resolve, reject);
      return failBody(UNEXPECTED_RESPONSE, 'it is opaque');
    }
    // A reader of the covered body locks nothing of the platform's.
    if (stream?.locked) return reject(new TypeError('the body is locked'));
    if ((target.bodyUsed || state.isUsed_) && !isEmpty) return onUsed();
    const isFree = canReadNatively(call);
    // The reader of a Proxy calls that of its target, which is covered.
    const isWrapped = state.isProxy_ && response !== target && response[native] !== target[native];
    // A form is read by hand, to tell one that is broken from a broken connection. Without a body there is nothing to count.
    isNative =
      isEmpty ||
      call.isDone_ ||
      isWrapped ||
      (original[native] && !state.reader_ && ((isFree && how !== 'formData') || (bodyIn(state) === undefined && !isCounted(call.config_))));
    call.isBlind_ = isNative;
    if (refuseSchema(call, schema)) return rejectWith(resolve, reject, call.failure_ ?? lateError(call, INVALID_OPTION));
    (call.waiting_ ??= []).push(resolve, reject);
    call.hold_(true);
    // A clock that cannot be the first to run out may start a little early.
    if (isFree) call.eventUntimed_(READING);
    else call.event_(READING);
    promised(() => {
      if (isEmpty) return new Response(null)[native]();
      if (!isNative) return gather(call, state);
      state.isBare_ = !isWrapped || isFree;
      return isWrapped ? response[native]() : original[native].call(target);
    })
      .then((raw) => {
        state.isBare_ = false;
        // The waiting promises have been rejected.
        if (call.hasFailed_) return;
        if (isNative) return onRaw(raw);
        const bytes = join(raw as Uint8Array<ArrayBuffer>[]);
        if (native === 'text') return onRaw(decode(bytes));
        // The platform parses the bytes.
        const whole = new Response(bytes, { headers: { 'content-type': typeOf(response) } });
        whole[native]().then(onRaw, (error) => failBody(PARSE_ERROR, 'not a form', error));
      })
      // Also more text than a string can hold.
      .catch(onLost);
  } catch (error) {
    onLost(error);
  }
}

/**
 * A reader of the body, undefined if there is none. Streams of Node are iterated. A response without a body that can be
 * read piece by piece is read by a reader of its own, as one piece.
 */
export function readerOf(state: LooseState): Reader | undefined {
  const body = bodyIn(state);
  // A mock may have a reader and no body.
  if (body === null && is(state.target_, 'Response')) return undefined;
  if (body?.getReader) return body.getReader();
  const pieces = body?.[Symbol.asyncIterator]?.() ?? wholeOf(state);
  return {
    async read() {
      const { done, value } = await pieces.next();
      const isBytes = done || ArrayBuffer.isView(value);
      return { done, value: isBytes ? value : new Uint8Array(await new Response(value).arrayBuffer()) };
    },
    async cancel() {
      if (body?.destroy) body.destroy();
      else await pieces.return?.();
    },
  };
}

async function* wholeOf(state: LooseState): AsyncGenerator<unknown, undefined> {
  const { original_: original, target_: target } = state;
  const how = ['arrayBuffer', 'blob', 'text', 'json'].find((name) => original[name as How]);
  if (!how) throw new Refusal(CALLBACK_ERROR, 'the response has neither a body nor a reader');
  state.isBare_ = true;
  const whole = await original[how as How].call(target);
  state.isBare_ = false;
  yield how === 'json' ? JSON.stringify(whole) : whole;
}

/** Ends a call that is to be read with a schema that is none: before it is sent, if that is known in time. */
export function refuseSchema(call: CallState, schema: unknown): boolean {
  if (schema === undefined || typeof safely(() => (schema as Schema)['~standard'].validate) === 'function') return false;
  failWith(call, refusal(`schema: one of Standard Schema, with '~standard', not ${shown(schema)}`));
  call.engine_?.run_('cancel', call.id_, true);
  return true;
}

/** Reads chunk by chunk, so that each can be counted, and each wait is known. */
export async function gather(call: CallState, state: LooseState, most: number = Infinity): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const { attempt_: attempt } = call;
  const reader: Reader | undefined = (call.reader_ = state.reader_ ??= readerOf(state));
  state.isUsed_ = !!reader;
  for (let size = 0; reader && size < most; ) {
    const { done, value } = await reader.read();
    // A chunk that comes after the next attempt was sent does not count for that one.
    const isLate = attempt !== call.attempt_;
    if (isLate) cancelBody(reader);
    if (done || isLate) return pieces;
    const bytes = +value!.byteLength;
    pieces.push(value!);
    size += bytes;
    call.chunk_(bytes, true);
    parts?.reportProgress_(call, state.target_, value);
    // Too large, or cancelled by an observer.
    if (call.hasFailed_) break;
  }
  cancelBody(reader);
  hangUp(call);
  return pieces;
}

export function join(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  if (pieces.length === 1) return pieces[0]!;
  const bytes = new Uint8Array(pieces.reduce((size, part) => size + part.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

export const parse = ({ config_: config }: CallState, text: string): unknown => (config.parseJson ?? JSON.parse)(text);

/** An encoding that the platform does not know is taken for UTF-8. */
export function decode(bytes: Uint8Array, encoding?: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

export const typeOf = (response: Response): string => headerOf(response, 'content-type') ?? '';

