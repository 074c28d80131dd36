// The attempts of a call: made ready, sent, judged by what comes back.

import {
  CODES,
  INVALID_REQUEST,
  PHASES,
  PHASE_BACKOFF,
  PHASE_HEADERS,
  STOPPED_POLICY,
} from './generated.js';
import { errorOf, note } from './ending.js';
import { ANSWER, DELAY, CALLBACK_FAILED, FAILED, HOOKING, READY, REFUSED, SHOULD_RETRY, STOP, now } from './engine.js';
import { Refusal } from './errors.js';
import { isForbidden } from './csp.js';
import { askHeaders, askRequest, askResponse } from './hooks.js';
import { hasNoContent, isOpaque, lengthOf, retryAfterOf } from './head.js';
import { isSizeLimited } from './options.js';
import { drop } from './response.js';
import { checkUnchanged, isStreamed, readRequest, setBody } from './upload.js';

/** Runs what comes before an attempt; for the first one only if there is something to run. */
export async function prepare(call, attempt) {
  call.attempt_ = attempt;
  try {
    if (attempt > 1 && isForbidden(call.url_, call.sentAt_)) {
      call.hint_ = 'csp';
      return call.event_(STOP, STOPPED_POLICY);
    }
    const supplied = await makeReady(call, attempt);
    if (!supplied) return call.event_(READY);
    call.via_ = 'hook';
    call.response_ = supplied;
    reportHead(call);
  } catch (error) {
    reportThrown(call, error);
  }
}

/** @returns {Promise<Response | undefined>} what a hook gave in place of the server's answer */
export async function makeReady(call, attempt) {
  if (call.layersToAsk_) await askHeaders(call);
  if (call.requestToRead_) await readRequest(call);
  if (call.bodyMaker_) setBody(call, await call.bodyMaker_());
  else if (attempt > 1) await checkUnchanged(call.init_.body);
  return askRequest(call, attempt);
}

/** A check of ours that failed, or a callback that threw. */
export function reportThrown(call, error) {
  if (error instanceof Refusal) {
    note(call, error);
    call.event_(REFUSED, error.code_);
  } else {
    call.original_ = error;
    call.event_(CALLBACK_FAILED);
  }
}

export function send(call, attempt) {
  const { config_: config, once_: once } = call;
  const controller = new AbortController();
  call.controller_ = controller;
  call.attempt_ = attempt;
  call.sentAt_ = performance.now();
  call.headAt_ = 0;
  call.once_ = call.response_ = call.original_ = call.details_ = call.hint_ = undefined;
  if (config.onEvent) call.tell_('attempt-start', PHASE_HEADERS);
  // An object of its own for each attempt: a custom fetch may keep it.
  const init = once ? {} : attempt === 1 ? call.init_ : { ...call.init_ };
  init.signal = controller.signal;
  // Looked up now, and called without a receiver.
  const fetch = config.fetch ?? globalThis.fetch;
  let sent;
  try {
    sent = Promise.resolve(fetch(once ?? call.input_, init));
  } catch (error) {
    sent = Promise.reject(error);
  }
  sent.then(
    (response) => answered(call, controller, response),
    (error) => rejected(call, controller, error),
  );
}

function answered(call, controller, response) {
  // What comes after an abort of ours is nobody's.
  if (controller !== call.controller_) return drop(response);
  if (typeof response !== 'object' || response === null) {
    return rejected(call, controller, new TypeError('fetch gave no response'));
  }
  call.response_ = response;
  call.headAt_ = now();
  if (call.config_.hooks.afterResponse) lookAtResponse(call, controller);
  else reportHead(call);
}

async function lookAtResponse(call, controller) {
  const { response_: response } = call;
  call.event_(HOOKING, response.status);
  try {
    const given = await askResponse(call);
    if (controller !== call.controller_) return;
    if (given !== response) drop(response);
    call.response_ = given;
    reportHead(call);
  } catch (error) {
    reportThrown(call, error);
  }
}

function rejected(call, controller, error) {
  if (controller !== call.controller_) return;
  call.original_ = error;
  if (!call.config_.fetch && isRefused(call)) call.event_(REFUSED, INVALID_REQUEST);
  else call.event_(FAILED);
}

/** An outage and a mistake are the same TypeError, whatever its text: only the request itself tells them apart. */
function isRefused(call) {
  const init = { method: call.method_, ...call.init_, signal: undefined };
  if (isStreamed(init.body)) delete init.body;
  try {
    new Request(call.url_, init);
    return false;
  } catch (error) {
    call.original_ = error;
    return true;
  }
}

function reportHead(call) {
  const { response_: response, config_: config, engine_: engine } = call;
  const status = response.status ?? 200;
  const retryAfter = status < 400 ? NaN : retryAfterOf(response, engine);
  let isError;
  try {
    isError = isThrown(call, status);
  } catch (error) {
    return reportThrown(call, error);
  }
  const isBodiless = hasNoContent(call, response) || isOpaque(response);
  const flags = (isError ? 1 : 0) | (isBodiless ? 2 : 0);
  const length = isSizeLimited(config) && !isBodiless ? lengthOf(response) : NaN;
  if (!call.isDone_) engine.run_(engine.wasm_.head, call.id_, call.attempt_, status, length, retryAfter, flags);
}

/** Whether a status is an error here: what `throwHttpErrors` says. */
export function isThrown({ isFetch_: isFetch, config_: config }, status) {
  const { throwHttpErrors: rule } = config;
  return !isFetch && status >= 400 && (typeof rule === 'function' ? rule(status) : rule);
}

/** Asks a callback of the retry policy. */
export async function ask(call, question, value, failure) {
  const { config_: config } = call;
  try {
    let answer;
    if (question === SHOULD_RETRY) {
      answer = await config['retry.shouldRetry']({ error: errorOf(call, failure), retryCount: value });
      answer = answer === undefined ? NaN : +!!answer;
    } else {
      answer = await config[question === DELAY ? 'retry.delay' : 'retry.jitter'](value);
      if (typeof answer !== 'number') throw new TypeError(`a number of milliseconds, not ${typeof answer}`);
    }
    call.event_(ANSWER, answer);
  } catch (error) {
    reportThrown(call, error);
  }
}

export function abort(call) {
  const { controller_: controller } = call;
  call.controller_ = undefined;
  controller?.abort(call.isCancelled_ ? call.cause_ : undefined);
  // A custom fetch may know no signals. The platform's does: a second cancel of a clone's body is one too many for Node.
  if (call.config_.fetch) discard(call);
}

/** Lets go of the body. */
export function discard({ reader_: reader, response_: response }) {
  if (reader) reader.cancel().catch(() => {});
  else if (response) drop(response);
}

export function tellRetry(call, waitMs, code) {
  call.tell_('retry', PHASE_BACKOFF, { retryCount: call.attempt_, waitMs, code: CODES[code] });
}

export function attemptEnded(call, attempt) {
  (call.log_ ??= []).push(attempt);
  const { outcome, code, status, phase, startMs, elapsedMs: attemptMs, resend } = attempt;
  const headersMs = call.headAt_ ? call.headAt_ - Math.ceil(call.started_) - startMs : undefined;
  call.tell_('attempt-end', PHASES.indexOf(phase), { outcome, code, status, startMs, attemptMs, headersMs, resend });
}
