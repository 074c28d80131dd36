// Makes the error of a failed call from the facts of its failure.

import type { Outcome, Phase } from '../errors.js';
import type { AnsweredCall, CallState, SentCall } from './call-state.js';
import type { OwnError } from './errors.js';
import type { Failure } from './shapes.js';

import { foreign, makeError, platformError, safely } from './errors.js';
import { ABORTED, DEADLINE_EXCEEDED, HTTP_ERROR, INVALID_OPTION, NETWORK_ERROR, RESPONSE_TOO_LARGE } from './generated.js';
import { isIdempotent } from './idempotency.js';
import { isRetryAfterHidden, noteNetworkHint } from './hints.js';
import { runtime } from './runtime.js';
import { parts } from './optional.js';
import { totalTimeout } from './options.js';
import { shownUrl } from './url.js';

/** The error of a failure. */
export function errorOf(call: CallState, { code_: code, fields_: fields }: Failure): OwnError {
  const { status, limit, bytesReceived } = fields;
  // Only here it is known that the bytes were all there.
  const phase = call.isValidating_ ? 'hook' : fields.phase;
  if (code === NETWORK_ERROR && phase === 'headers') noteNetworkHint(call as SentCall);
  const { method_: method, url_: url, config_: config } = call;
  const why = (config.auth_ && parts?.failureDetailsOf_(call, code, phase)) || call.failureDetails_;
  const hint = status === 409 && call.isKeyed_ && !isIdempotent(call) ? 'in-progress' : code === HTTP_ERROR && safely(() => isRetryAfterHidden(call as AnsweredCall)) ? 'retry-after-hidden' : why.hint_;
  const systemCode = code === NETWORK_ERROR ? runtime.systemCode_?.(why.original_) : undefined;
  const details = [
    systemCode,
    why.details_,
    code === HTTP_ERROR && `status ${status}`,
    limit && `${limit} ${code === RESPONSE_TOO_LARGE ? 'bytes' : `ms, phase ${phase}`}`,
  ].filter(Boolean);
  const text = (method && `: ${method} ${shownUrl(url, call.config_)}`) + (details.length ? ` (${details.join('; ')})` : '');
  return makeError(
    code,
    text,
    // The platform does not count the bytes that it reads by itself.
    { ...fields, phase, hint, bytesReceived: call.isBlind_ && !bytesReceived ? undefined : bytesReceived },
    {
      ...(code === ABORTED ? { cause: call.cause_ } : foreign(why.original_, systemCode)),
      request: method ? { method, url } : undefined,
      response: status === undefined ? undefined : call.covered_(),
      data: status === undefined ? undefined : call.data_,
      issues: call.issues_,
    },
    why.advice_,
  );
}

/** No answer, or that of a gateway that lost the server (core/src/outcome.rs). */
const LOST = /^(undefined|50[24]|52\d)$/;

/** The least certain outcome of the attempts. */
export const outcomeOf = (attempts: readonly { readonly outcome: Outcome }[]): Outcome =>
  (['unknown', 'answered', 'not-sent'] as const).find((one) => attempts.some(({ outcome }) => outcome === one)) ?? 'not-sent';

/** A failure as far as it is known without the engine. */
export function localFailure(call: CallState, code: number, phase: Phase | undefined): Failure {
  const { attempt_: number, log_: attempts = [] } = call;
  const { status_: status } = call;
  const elapsedMs = call.elapsed_();
  const startMs = Math.ceil(call.sentAt_ - call.started_!);
  if (call.sentAt_ && attempts.length < number) {
    const outcome = LOST.test(status as unknown as string) ? 'unknown' : 'answered';
    attempts.push({ number, resend: false, outcome, status, phase: phase!, startMs, elapsedMs: elapsedMs - startMs });
  }
  const limit = code === DEADLINE_EXCEEDED ? totalTimeout(call.config_) : undefined;
  return { code_: code, fields_: { phase, outcome: outcomeOf(attempts), attempts, elapsedMs, status, limit } };
}

/** The error of a read that went wrong after the call had ended well. */
export const lateError = (call: CallState, code: number): unknown => errorForCaller(call, errorOf(call, localFailure(call, code, code === INVALID_OPTION ? undefined : 'body')));

/** The error for the caller: under `api.fetch` one as the platform throws it. */
export const errorForCaller = (call: CallState, error: OwnError): unknown => (call.isFetch_ ? platformError(error, call.isCallersAbort_) : error);
