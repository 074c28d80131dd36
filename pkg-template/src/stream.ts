// Hands out bodies as streams that obey the limits of their call.

import type { CallState, LooseState, Reader } from './call-state.js';

import { readerOf } from './body.js';
import { isRefusal } from './errors.js';
import { hangUp } from './exchange.js';
import { bodyIn, cancelBody, dropBody, known } from './native-body.js';
import { parts } from './optional.js';
import { BODY_END, DROPPED, FAILED, READING } from './protocol.js';

type Stream = ReadableStream<Uint8Array<ArrayBuffer>>;
type Controller = ReadableStreamDefaultController<Uint8Array> | ReadableByteStreamController;

/**
 * A stream of a body that obeys the limits of its call. It reads when it is read, and no sooner.
 * @param state of the response, if it has come already
 * @param promise of the response, if it has not
 */
export function streamOfBody(call: CallState, state: LooseState | undefined, promise?: PromiseLike<Response>): Stream {
  let reader: Reader | undefined;
  let controller!: Controller;
  let beginning: Promise<void> | undefined;
  let isCancelled = false;

  async function begin(): Promise<void> {
    state ??= known((await promise)!);
    if (call.hasFailed_) throw call.failure_;
    const fail = (error: unknown) => controller.error(error);
    (call.waiting_ ??= []).push(undefined, fail);
    const broken = (error: unknown) => (call.isDone_ ? fail(call.hasFailed_ ? call.failure_ : error) : onLost(error));
    try {
      call.reader_ = reader = state.reader_ ??= readerOf(state);
      // A reader may wait for `closed`, and for nothing else.
      reader?.closed?.catch(broken);
    } catch (error) {
      broken(error);
    }
  }

  function onLost(error: unknown): void {
    call.failureDetails_ = { original_: error };
    call.event_(FAILED);
  }

  async function pull(): Promise<void> {
    if (!reader) await (beginning ??= begin());
    state!.isUsed_ = !!reader;
    if (call.hasFailed_) throw call.failure_;
    call.hold_(true);
    call.event_(READING);
    let result: Awaited<ReturnType<Reader['read']>>;
    try {
      // A stream of bytes takes no empty chunk.
      do result = reader ? await reader.read() : { done: true };
      while (!result.done && !result.value!.byteLength);
      if (!result.done) deliver(result.value!);
    } catch (error) {
      if (isCancelled) return;
      if (call.isDone_) throw call.hasFailed_ ? call.failure_ : error;
      if (isRefusal(error)) {
        call.failureDetails_ = error;
        return call.event_(BODY_END, error.code_);
      }
      return onLost(error);
    }
    if (result.done && !call.hasFailed_) close();
  }

  function deliver(chunk: Uint8Array<ArrayBuffer>): void {
    call.chunk_(+chunk.byteLength, false);
    if (call.hasFailed_) return;
    call.hold_(false);
    parts?.reportProgress_(call, state!.target_, chunk);
    // A stream of bytes takes the chunk's buffer away; the observer may have kept it.
    controller.enqueue(call.config_.onDownloadProgress ? chunk.slice() : chunk);
  }

  function close(): void {
    call.event_(BODY_END, 0);
    controller.close();
    // A reader that brought a buffer of its own waits for this too.
    (controller as ReadableByteStreamController).byobRequest?.respond(0);
  }

  function cancel(reason: unknown): any {
    isCancelled = true;
    if (!state) return call.cancel_(reason);
    const cancelled = reader ? reader.cancel(reason) : dropBody(state);
    if (--call.branches_ === 0) {
      hangUp(call);
      call.event_(DROPPED);
    }
    // As that of the platform's, which is in error by then.
    if (call.hasFailed_) throw call.failure_;
    return cancelled;
  }

  const type = state && isOfBytes(state) ? 'bytes' : undefined;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({ type, start: (given: Controller) => void (controller = given), pull, cancel } as UnderlyingSource, { highWaterMark: 0 });
  const { getReader } = stream;
  stream.getReader = (options?: any): any => {
    const taken = getReader.call(stream, options);
    (beginning ??= begin()).catch((error) => controller.error(error));
    return taken;
  };
  if (!stream[Symbol.asyncIterator]) stream[Symbol.asyncIterator] = iterate;
  return stream;
}

/** As the platform's own is: then readers may bring a buffer. */
function isOfBytes(state: LooseState): boolean {
  try {
    bodyIn(state).getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

/** WebKit's streams have no iterator of their own. */
async function* iterate(this: Stream): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = this.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Does nothing to a stream that has ended.
    cancelBody(reader);
    reader.releaseLock();
  }
}
