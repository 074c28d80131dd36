// Settles calls: one function does it, the others lead there.

import type { ErrorCode, Phase } from '../errors.js';
import type { CallState } from './call-state.js';
import type { Failure, Get } from './shapes.js';

import { recently } from './clock.js';
import { errorInfo, isRefusal, makeError, rejectWith, safely, type OwnError } from './errors.js';
import { abort, setOut } from './exchange.js';
import { errorForCaller, errorOf, localFailure } from './failure.js';
import { ABORTED, CALLBACK_ERROR, CODES, ENGINE_DEAD } from './generated.js';
import { disarmTimers, stopWaiting } from './live.js';
import { count, note, noteTimeout } from './metrics.js';
import { cancelBody } from './native-body.js';
import { readFailure } from './decode.js';
import { parts, sharing } from './optional.js';
import { ABANDON_FAILURE, ACTION_END_WELL, BEFORE_ERROR_FAILURE, END_FAILED_FAILURE, HOOKED } from './protocol.js';
import { failFast } from './scope.js';
import { unlisten } from './signals.js';

/** Ends a call that the engine does not know, or no longer knows. */
export const fail = (call: CallState, code: number, phase?: Phase): void => settle(call, localFailure(call, code, phase));

/** Notes why a call fails: a check of ours, or what was thrown by a callback. @returns the code of the former */
export function recordFailure(call: CallState, error: unknown): number {
  const isOurs = isRefusal(error);
  call.failureDetails_ = isOurs ? error : { original_: error };
  return isOurs ? error.code_ : 0;
}

/** Ends a call where something of the caller's threw, whatever the engine knows of it. */
export function failWith(call: CallState, error: unknown): void {
  const code = recordFailure(call, error) || CALLBACK_ERROR;
  abort(call);
  fail(call, code, code === CALLBACK_ERROR ? 'hook' : undefined);
  // Where the response was about to be handed out.
  if (call.info_) reject(call, call.failure_);
}

/** After a crash of the engine: how far the call has come is unknown. */
export function crash(call: CallState, error: unknown): void {
  call.failureDetails_ = { original_: error };
  abort(call);
  fail(call, ENGINE_DEAD, call.info_ ? 'body' : 'headers');
}

/** Lets the `beforeError` hooks look at the failure. */
export async function beforeError(call: CallState, get: Get): Promise<void> {
  const failure = readFailure(get, BEFORE_ERROR_FAILURE);
  try {
    call.hookError_ = await parts.giveError_(call, errorOf(call, failure));
  } catch (error) {
    call.failureDetails_ = { original_: error };
    call.hookError_ = errorOf(call, { code_: CALLBACK_ERROR, fields_: { ...failure.fields_, phase: 'hook' } });
  }
  call.event_(HOOKED);
}

/** The body is given up unread, which is no failure of the call: only later reads get this one. */
export function abandon(call: CallState, get: Get): void {
  call.failure_ = errorForCaller(call, errorOf(call, readFailure(get, ABANDON_FAILURE)));
  call.hasFailed_ = true;
}

/** The engine's word that the call is over. */
export function onEnd(call: CallState, get: Get, kind: number): void {
  settle(call, kind === ACTION_END_WELL ? undefined : readFailure(get, END_FAILED_FAILURE));
}

/** Makes the promise of a shortcut, whose response is still to come. */
export const pendingOf = (call: CallState): Promise<Response> => (call.promise_ = new Promise((resolve, reject) => Object.assign(call, { resolve_: resolve, reject_: reject })));

/** Rejects the promises of the response. If the caller asked for none, one is made, so that it is reported as unhandled. */
function reject(call: CallState, reason: unknown): void {
  const { reading_: reading } = call;
  if (reading) rejectWith(reading.resolve_, reading.reject_, reason);
  else if (!call.reject_) pendingOf(call);
  if (call.reject_) rejectWith(call.resolve_, call.reject_, reason);
}

/** The one place where a call settles. */
export function settle(call: CallState, failure: Failure | undefined): void {
  if (call.isDone_) return;
  // It settles also if the caller's values throw when they are read.
  const error = failure && ((call.hookError_ as OwnError | undefined) ?? safely(() => errorOf(call, failure)) ?? makeError(failure.code_, '', failure.fields_));
  // A callback that was asked for the error may have ended the call meanwhile.
  if (call.isDone_) return;
  if (failure) {
    const reason = (call.failure_ = errorForCaller(call, error!));
    call.hasFailed_ = true;
    if (!call.info_) reject(call, reason);
    const waiting = call.waiting_ ?? [];
    for (let at = 0; at < waiting.length; at += 2) rejectWith(waiting[at], waiting[at + 1] as (error: unknown) => void, reason);
  }
  call.isDone_ = true;
  // Of what a beforeError hook gave, if it is one of ours.
  const code = (call.code_ = failure && (errorInfo(call.hookError_)?.code ?? (CODES[failure.code_] as ErrorCode)));
  if (call.hasSignals_()) unlisten(call.signals_(), call);
  call.hold_(false);
  if (call.timer_ !== undefined) stopWaiting(call);
  if (call.likeness_) sharing.release_(call);
  countEnd(call, failure, code);
  if (call.config_.onEvent) emitEnd(call, failure, code);
  if (failure) {
    disarmTimers();
    failFast(call, call.failure_);
    // A stream that will not be sent any more. If it is locked, its reader sees the error.
    cancelBody(call.stream_, call.failure_);
  }
  call.waiting_ = call.controller_ = call.reader_ = undefined;
}

/** Counts how the call has ended. */
function countEnd(call: CallState, failure: Failure | undefined, code: ErrorCode | undefined): void {
  const counts = call.config_.counts_;
  if (call.queuedAt_) parts.unqueue_(call);
  setOut(call, false);
  // As of what has ended it: to ask for the time anew costs more than to count.
  note(counts.callMs, call.engine_ ? Math.ceil(Math.max(0, recently() - call.started_!)) : call.elapsed_());
  if (!failure) {
    counts.succeeded++;
    return;
  }
  const { phase, retryStopped } = failure.fields_;
  count(counts.failed, code!);
  // Of an answer it was counted when it was given.
  if (retryStopped === 'budget' && !call.info_) counts.budgetRefusals++;
  // Those of an attempt are counted with it.
  if (/TIMEOUT$|^DEADLINE/.test(code!) && !/headers|body|idle/.test(phase!)) noteTimeout(counts, phase!);
  if (failure.code_ === ABORTED) {
    count(counts.cancelled, call.isCallersAbort_ ? 'signal' : retryStopped === 'pagehide' ? 'page' : 'client');
  }
}

function emitEnd(call: CallState, failure: Failure | undefined, code: ErrorCode | undefined): void {
  call.announce_();
  const { outcome, retryStopped, status, attempts, phase } = failure
    ? failure.fields_
    : { status: call.status_, attempts: { length: call.info_!.attempts }, phase: 'body' as const, retryStopped: call.info_!.retryStopped };
  call.emit_('call-end', phase, { ok: !failure, code, status, outcome, retryStopped, attempts: attempts.length });
}
