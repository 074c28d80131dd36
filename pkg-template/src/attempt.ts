// Prepares and sends the attempts of a call, and reports to the engine what came back.

import type { ErrorCode } from '../errors.js';
import type { AnsweredCall, CallState, ReadyCall, SentCall, StartedCall } from './call-state.js';
import type { Init } from './config.js';
import type { ActionKind } from './protocol.js';
import type { Get } from './shapes.js';

import { now, recently } from './clock.js';
import { isForbidden } from './csp.js';
import { recordFailure } from './settle.js';
import { Refusal, UNKNOWN, is, safely } from './errors.js';
import { setOut } from './exchange.js';
import {
  ABORTED,
  CODES,
  INVALID_REQUEST,
  RETRY_AFTER_STATUSES,
  STOPPED_METHOD,
  STOPPED_POLICY,
  UNSUPPORTED,
} from './generated.js';
import { callFetch, platformFetch } from './global-fetch.js';
import { hasNoContent, isOpaque, lengthOf, retryAfterOf } from './response-head.js';
import { runtime } from './runtime.js';
import { shown } from './invalid-option.js';
import { keepAlive } from './keepalive.js';
import { note, noteTimeout } from './metrics.js';
import { bodyOf, drop } from './native-body.js';
import { readAttempt } from './decode.js';
import { parts, sharing } from './optional.js';
import { isSizeLimited } from './options.js';
import { promised } from './promised.js';
import {
  ACTION_SHARE,
  ATTEMPT_END_ATTEMPT,
  BODILESS,
  CALLBACK_FAILED,
  DEMANDED,
  EXACT,
  FAILED,
  HEEDED,
  HOOKING,
  PREPARE_ATTEMPT,
  PREPARE_RESEND,
  READY,
  REFUSED,
  RETRIED,
  RETRY_CODE,
  RETRY_WAIT,
  SEND_ATTEMPT,
  SEND_LEFT,
  SEND_RESEND,
  SHARE_WITH,
  SHARING,
  STOP,
  THROW,
  UNAUTHORIZED,
} from './protocol.js';
import { isRefused } from './refused.js';
import { checkUnchanged, readRequest, setBody } from './upload.js';

/** What an attempt's start tells of its request. */
const SHARED = { shared: true } as const;
const NOT_SHARED = {};
const PROGRAMMING_ERROR = /^(Reference|Syntax|Range)Error$/;

/** Runs what comes before an attempt; for the first one only if there is something to run. */
export async function prepare(call: StartedCall, get: Get): Promise<void> {
  const attempt = (call.attempt_ = get(PREPARE_ATTEMPT));
  call.isResend_ = !!get(PREPARE_RESEND);
  if (call.isCancelled_) return;
  try {
    const isRetry = attempt > 1 && !call.isResend_;
    if (isRetry && isForbidden(call.url_, call.sentAt_)) {
      call.failureDetails_ = { ...call.failureDetails_, hint_: 'csp' };
      return call.event_(STOP, STOPPED_POLICY);
    }
    if (isRetry && call.isSwapped_) return call.event_(STOP, STOPPED_METHOD);
    const supplied = await makeReady(call, attempt);
    if (supplied === STOPPED_METHOD) return call.event_(STOP, supplied);
    if (!supplied) {
      if (call.config_.dedupe) call.event_(SHARING, sharing.place_(call));
      return call.event_(READY);
    }
    supply(call, supplied as Response, 'hook');
  } catch (error) {
    reportThrown(call, error);
  }
}

/** Takes a response for the answer that did not come over the network as one. */
export function supply(call: CallState, response: Response, via: CallState['via_']): void {
  call.via_ = via;
  call.response_ = response;
  readStatus(call as AnsweredCall);
  reportHead(call as AnsweredCall);
}

/** @returns what a hook gave in place of the server's answer, or what stops the retry */
async function makeReady(call: ReadyCall, attempt: number): Promise<Response | number | undefined> {
  if (call.layersToAsk_) await parts.askHeaders_(call);
  if (call.requestToRead_) await readRequest(call);
  if (call.bodyMaker_) setBody(call, await call.bodyMaker_());
  else if (attempt > 1) await checkUnchanged(call.init_.body);
  // A client with hooks has the optional chunk.
  return parts?.askRequest_(call, attempt);
}

/** A check of ours that failed, or a callback that threw. */
export function reportThrown(call: CallState, error: unknown): void {
  const code = recordFailure(call, error);
  if (code) call.event_(REFUSED, code);
  else call.event_(CALLBACK_FAILED);
}

/** Sends an attempt, or has it take part in the request of another call. */
export function send(call: StartedCall, get: Get, kind: ActionKind): void {
  const attempt = (call.attempt_ = get(SEND_ATTEMPT));
  call.left_ = get(SEND_LEFT);
  call.isResend_ = !!get(SEND_RESEND);
  const config = call.config_;
  // Looked up now, and called without a receiver.
  const fetch = config.fetch ?? platformFetch();
  if (!fetch) {
    call.failureDetails_ = new Refusal(UNSUPPORTED, 'there is no global fetch: give one by the option `fetch`');
    return call.event_(REFUSED, UNSUPPORTED);
  }
  if (!call.isCancelled_) call.emit_('attempt-start', 'headers', kind === ACTION_SHARE ? SHARED : NOT_SHARED);
  // An observer may have done it, or another call of its scope that failed.
  if (call.isCancelled_) return call.event_(REFUSED, ABORTED);
  const once = call.singleUseRequest_;
  const isShared = call.likeness_ && sharing.join_(call, kind === ACTION_SHARE ? get(SHARE_WITH) : NaN);
  const controller = call.likeness_ ? call.controller_! : (call.controller_ = new AbortController());
  call.via_ = isShared ? 'shared' : 'network';
  call.sentAt_ = recently();
  call.headAt_ = 0;
  call.singleUseRequest_ = call.response_ = call.reader_ = call.status_ = undefined;
  call.failureDetails_ = UNKNOWN;
  // The data of the response before.
  if (attempt > 1) call.data_ = undefined;
  if (call.queuedAt_) parts.unqueue_(call, true);
  if (isShared) config.counts_.shared++;
  else {
    setOut(call, true);
    config.counts_.attempts++;
  }
  if (call.isResend_) {
    if (!isShared) config.counts_.resent++;
    call.resends_++;
  }
  // An object of its own for each attempt: a custom fetch may keep it.
  let init: Init = once ? call.singleUseInit_! : attempt > 1 ? { ...call.init_ } : call.init_;
  const dispatch = () => {
    if (config.deadlineHeader) parts.addDeadline_(call as SentCall, init, once);
    if (config.auth_) init = parts.addToken_(call, init, once);
    init.signal = controller.signal;
    // The call cannot know when an opaque body ends: its connection may outlive the call, but not the caller's signals.
    if ((init.mode ?? ((once ?? call.input_) as Partial<Request>).mode) === 'no-cors' && call.hasSignals_()) {
      init.signal = safely(() => AbortSignal.any([controller.signal, ...call.signals_()])) ?? controller.signal;
    }
    call.sent_ = init;
    if (call.isKeepalive_ && !once) keepAlive(call, init);
    const input = once ?? call.input_;
    return call.likeness_ ? sharing.fetch_(call, () => callFetch(fetch, call.view_, input, init)) : callFetch(fetch, call.view_, input, init);
  };
  promised(dispatch).then(
    // A response that comes after our abort is dropped.
    (response) => (controller === call.controller_ ? answered(call as SentCall, controller, response) : drop(response)),
    (error) => controller === call.controller_ && rejected(call as SentCall, error),
  );
}

function answered(call: SentCall, controller: AbortController, response: Response | undefined): void {
  try {
    const status = response?.status;
    // Reading a member costs time: `type` is read of responses without a status only.
    if (!status && response?.type === 'error') return rejected(call, new TypeError('fetch returned a network error'));
    if (!Number.isInteger(status)) {
      return failFetch(call, `fetch returned ${Object(response) === response ? 'a response without a numeric status' : `${shown(response)}, not a Response`}`);
    }
    call.response_ = response;
    call.status_ = status;
    if (call.config_.onEvent) call.headAt_ = now();
    const { auth_: auth, hooks, 'auth.shouldRefresh': shouldRefresh } = call.config_;
    if (hooks.afterResponse || (auth && shouldRefresh && status! >= 400)) lookAtResponse(call as SentCall & AnsweredCall, controller, response!);
    else reportHead(call as SentCall & AnsweredCall);
  } catch (error) {
    // The response throws when it is looked at.
    failFetch(call, 'the response of fetch threw', error);
  }
}

/** A fault of the code in the place of fetch, which would be the same the next time. */
function failFetch(call: CallState, details: string, original: unknown = new TypeError(details)): void {
  call.failureDetails_ = { details_: details, original_: original };
  call.event_(CALLBACK_FAILED);
}

async function lookAtResponse(call: AnsweredCall, controller: AbortController, response: Response): Promise<void> {
  call.event_(HOOKING, call.status_);
  try {
    const given = await parts.askResponse_(call, response);
    if (controller !== call.controller_) return;
    // A hook may have put the body into a response of its own.
    if (bodyOf(given) !== bodyOf(response)) drop(response);
    call.response_ = given;
    readStatus(call);
    reportHead(call, call.demand_);
  } catch (error) {
    reportThrown(call, error);
  }
}

function rejected(call: SentCall, error: unknown): void {
  const name = safely(() => is(error, 'Error') && (error as Error).name);
  if (PROGRAMMING_ERROR.test(name as string)) return failFetch(call, `fetch threw a ${name}`, error);
  call.failureDetails_ = { original_: error };
  if (!call.config_.fetch && isRefused(call, error)) {
    // It was never sent.
    call.config_.counts_[call.via_ === 'shared' ? 'shared' : 'attempts']--;
    call.event_(REFUSED, INVALID_REQUEST);
  } else call.event_(FAILED, runtime.isUnsent_?.(call, error) ? 1 : 0);
}

/** A number by now: what is none would throw in the engine. */
const readStatus = (call: AnsweredCall): number => (call.status_ = +(call.response_.status ?? 200));

/** @param demand a hook wants a retry, after so many milliseconds; NaN: after the backoff */
function reportHead(call: AnsweredCall, demand?: number): void {
  const response = call.response_;
  const status = call.status_;
  // The end of an opaque body cannot be seen; the body of a redirect that was not followed is gone.
  const isBodiless = hasNoContent(call) || (!status && response.type === 'opaqueredirect');
  let flags = isBodiless ? BODILESS : 0;
  try {
    if (isThrown(call, status)) flags |= THROW;
    if (call.config_.auth_ && parts.isUnauthorized_(call)) flags |= UNAUTHORIZED;
  } catch (error) {
    // That it has answered is known all the same.
    call.event_(HOOKING, status);
    return reportThrown(call, error);
  }
  if (call.isDone_) return;
  // An opaque body gives its slot back.
  const length = !status && isOpaque(response) ? 0 : isSizeLimited(call.config_) && !isBodiless ? lengthOf(response) : NaN;
  let retryAfter = NaN;
  if (status >= 400) {
    const config = call.config_;
    retryAfter = retryAfterOf(response);
    if (config['retry.statusCodes']?.includes(status)) flags |= RETRIED;
    if ((config['retry.afterStatusCodes'] ?? RETRY_AFTER_STATUSES).includes(status)) flags |= HEEDED;
  }
  if (demand !== undefined) {
    flags |= DEMANDED;
    if (demand >= 0) {
      flags |= EXACT;
      retryAfter = demand;
    }
  }
  call.engine_.run_('head', call.id_, call.attempt_, status, length, retryAfter, flags);
  if (call.config_.shared_.queue) parts.measureLater_(call);
}

/** Applies `throwHttpErrors`. */
function isThrown({ isFetch_: isFetch, config_: config }: CallState, status: number): boolean | undefined {
  const rule = config.throwHttpErrors;
  return !isFetch && status >= 400 && (typeof rule === 'function' ? rule(status) : rule);
}

export function emitRetry(call: StartedCall, get: Get): void {
  call.config_.counts_.retries++;
  call.emit_('retry', 'backoff', { retryCount: call.attempt_ - call.resends_, waitMs: get(RETRY_WAIT), code: CODES[get(RETRY_CODE)] as ErrorCode });
}

export function attemptEnded(call: StartedCall, get: Get): void {
  const attempt = readAttempt(get, ATTEMPT_END_ATTEMPT);
  const { code, phase, elapsedMs: attemptMs } = attempt;
  const counts = call.config_.counts_;
  setOut(call, false);
  note(counts.attemptMs, attemptMs);
  if (code === 'TIMEOUT' || code === 'DEADLINE_EXCEEDED') noteTimeout(counts, phase);
  const isWatched = call.isWatched_();
  // Those that failed count for the outcome, whatever comes after them.
  if (code || isWatched) (call.log_ ??= []).push(attempt);
  if (!isWatched) return;
  const { number, elapsedMs, ...rest } = attempt;
  const headersMs = call.headAt_ ? call.headAt_ - Math.ceil(call.started_) - attempt.startMs : undefined;
  call.emit_('attempt-end', phase, { ...rest, attemptMs, headersMs });
}
