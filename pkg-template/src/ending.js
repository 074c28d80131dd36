// How a call ends: its error, and the one place where it settles.

import {
  ABORTED,
  CALLBACK_ERROR,
  CODES,
  DEADLINE_EXCEEDED,
  ENGINE_DEAD,
  HTTP_ERROR,
  NETWORK_ERROR,
  OUTCOMES,
  OUTCOME_NOT_SENT,
  OUTCOME_ANSWERED,
  OUTCOME_UNKNOWN,
  PHASES,
  PHASE_BODY,
  PHASE_HEADERS,
  PHASE_HOOK,
  RESPONSE_TOO_LARGE,
} from './generated.js';
import { abort } from './attempt.js';
import { HOOKED } from './engine.js';
import { foreign, makeError, platformError } from './errors.js';
import { noteNetworkHint } from './hints.js';
import { giveError } from './hooks.js';
import { stopWaiting } from './load.js';
import { totalTimeout } from './options.js';
import { isStreamed } from './upload.js';
import { shownUrl } from './url.js';

/** Remembers what an own check said, or what was thrown. */
export function note(call, { details_: details, hint_: hint, original_: original }) {
  call.details_ = details;
  call.hint_ = hint;
  call.original_ = original;
}

/**
 * The error of a failure.
 * @param {{ code_: number, fields_: object }} failure
 */
export function errorOf(call, { code_: code, fields_: fields }) {
  // Only here it is known that the bytes were all there.
  if (call.isValidating_) fields.phase = PHASES[PHASE_HOOK];
  const { status, limit, phase } = fields;
  if (code === NETWORK_ERROR && phase === PHASES[PHASE_HEADERS]) noteNetworkHint(call);
  const { method_: method, url_: url, response_: response, data_: data, issues_: issues } = call;
  const details = [
    call.details_,
    code === HTTP_ERROR && `status ${status}`,
    limit && `${limit} ${code === RESPONSE_TOO_LARGE ? 'bytes' : 'ms'}, phase ${phase}`,
  ].filter(Boolean);
  const text = (method && `: ${method} ${shownUrl(url)}`) + (details.length ? ` (${details.join('; ')})` : '');
  return makeError(
    code,
    text,
    { ...fields, hint: call.hint_ },
    {
      request: method ? { method, url } : undefined,
      response: status === undefined ? undefined : response,
      data,
      issues,
      ...(code === ABORTED ? { cause: call.cause_ } : foreign(call.original_)),
    },
  );
}

/** The error of the attempt that is about to be retried. */
export function attemptError(call) {
  const attempts = [...call.log_];
  const { code, status, phase } = attempts.at(-1);
  const isUnknown = attempts.some(({ outcome }) => outcome === OUTCOMES[OUTCOME_UNKNOWN]);
  const outcome = OUTCOMES[isUnknown ? OUTCOME_UNKNOWN : OUTCOME_ANSWERED];
  const fields = { phase, outcome, attempts, elapsedMs: call.elapsed_(), status };
  return errorOf(call, { code_: CODES.indexOf(code), fields_: fields });
}

/** Ends a call that the engine does not know, or no longer knows. */
export function fail(call, code, phase) {
  end(call, localFailure(call, code, phase));
}

/** The error of a read that went wrong after the call had ended well. */
export function lateError(call, code) {
  return shown(call, errorOf(call, localFailure(call, code, PHASE_BODY)));
}

/** A failure as far as it is known without the engine. */
function localFailure(call, code, phase = 0) {
  const elapsedMs = call.elapsed_();
  const status = call.response_?.status;
  const outcome = OUTCOMES[status === undefined ? OUTCOME_UNKNOWN : OUTCOME_ANSWERED];
  let attempts = call.log_ ?? [];
  if (call.sentAt_ && attempts.length < call.attempt_) {
    const startMs = Math.ceil(call.sentAt_ - call.started_);
    const last = { number: call.attempt_, resend: false, outcome, status, phase: PHASES[phase], startMs };
    attempts = [...attempts, { ...last, elapsedMs: elapsedMs - startMs }];
  }
  return {
    code_: code,
    fields_: {
      phase: PHASES[phase] || undefined,
      outcome: attempts.length ? outcome : OUTCOMES[OUTCOME_NOT_SENT],
      attempts,
      elapsedMs,
      status,
      limit: code === DEADLINE_EXCEEDED ? totalTimeout(call.config_) : undefined,
    },
  };
}

/** A trap: nobody knows any more how far the call has come. */
export function die(call, error) {
  call.original_ = error;
  abort(call);
  fail(call, ENGINE_DEAD, call.info_ ? PHASE_BODY : PHASE_HEADERS);
}

/** Lets the `beforeError` hooks look at the failure. */
export async function beforeError(call, failure) {
  try {
    call.given_ = await giveError(call, errorOf(call, failure));
  } catch (error) {
    call.original_ = error;
    call.given_ = errorOf(call, { code_: CALLBACK_ERROR, fields_: { ...failure.fields_, phase: PHASES[PHASE_HOOK] } });
  }
  call.event_(HOOKED);
}

/** What the caller gets: under `api.fetch` an error as the platform throws it. */
const shown = (call, error) => (call.isFetch_ ? platformError(error, call.isCallersAbort_) : error);

/** The one place where a call settles. */
export function end(call, failure) {
  if (call.isDone_) return;
  call.isDone_ = true;
  call.signal_?.removeEventListener('abort', call);
  call.hold_(false);
  if (call.timer_ !== undefined) stopWaiting(call);
  const error = failure && (call.given_ ?? errorOf(call, failure));
  if (call.config_.onEvent) tellEnd(call, failure);
  if (failure) {
    call.failure_ = shown(call, error);
    call.hasFailed_ = true;
    call.reject_(call.failure_);
    call.waiting_?.forEach((reject) => reject(call.failure_));
  }
  call.waiting_ = call.controller_ = call.reader_ = undefined;
  if (failure && isStreamed(call.init_?.body)) cancelUpload(call.init_.body, call.failure_);
}

/** A streamed body that will not be sent any more. Who has locked it knows already. */
function cancelUpload(body, reason) {
  if (body.cancel && !body.locked) body.cancel(reason).catch(() => {});
}

function tellEnd(call, failure) {
  call.announce_();
  const fields = failure ? failure.fields_ : { status: call.response_.status, attempts: { length: call.info_.attempts } };
  const { outcome, retryStopped, status, attempts } = fields;
  const phase = failure ? PHASES.indexOf(fields.phase) : PHASE_BODY;
  const code = failure && CODES[failure.code_];
  call.tell_('call-end', phase, { ok: !failure, code, status, outcome, retryStopped, attempts: attempts.length });
}
