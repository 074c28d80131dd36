// One call: its state, its signals, and its reports to the engine and to observers. `attempt.ts` performs the engine's actions, `settle.ts`
// settles it.

import type { Phase } from '../errors.js';
import type { SteadfetchEvent } from '../events.js';
import type { CallState, ReadyCall } from './call-state.js';
import type { View } from './config.js';
import type { EventKind } from './protocol.js';
import type { Engine, EventFields } from './shapes.js';

import { recently } from './clock.js';
import { fail, failWith } from './settle.js';
import { UNKNOWN } from './errors.js';
import { abort } from './exchange.js';
import { ABORTED, SCOPE_CALL } from './generated.js';
import { runtime } from './runtime.js';
import { place } from './resource-ids.js';
import { observe } from './observers.js';
import { parts } from './optional.js';
import { merge, totalTimeout } from './options.js';
import {
  CALL_BEFORE_ERROR,
  CALL_DELAY,
  CALL_ERROR_DATA,
  CALL_FETCH,
  CALL_KEEPALIVE,
  CALL_KEYED,
  CALL_LOOKUP,
  CALL_OBSERVE,
  CALL_PREPARE,
  CALL_REPLAYABLE,
  CALL_SHOULD_RETRY,
  CALL_STREAMS_UPLOAD,
} from './protocol.js';
import { build, checkArguments } from './request.js';
import { cover } from './response.js';
import { abortedOf, listen, reasonOf } from './signals.js';
import { shownUrl } from './url.js';

let calls = 0;

export interface Call extends CallState {}

export class Call {
  constructor(view: View, isFetch: boolean, resolve?: (response: Response) => void, reject?: (error: unknown) => void) {
    this.view_ = view;
    this.config_ = isFetch ? view.fetchConfig_ : view.config_;
    this.config_.counts_.calls++;
    this.isFetch_ = isFetch;
    this.resolve_ = resolve;
    this.reject_ = reject;
    this.callId_ = ++calls;
    this.url_ = this.method_ = '';
    this.via_ = 'network';
    this.attempt_ = this.resends_ = this.sentAt_ = this.headAt_ = this.received_ = this.queuedAt_ = 0;
    this.isInit_ = this.isDone_ = this.hasFailed_ = this.isHeld_ = this.isOut_ = false;
    this.branches_ = 1;
    // All that every call gets: what is added to an object later takes longer to find.
    this.kept_ = this.id_ = this.methodNumber_ = this.budget_ = this.circuitKey_ = this.partition_ = this.fairnessKey_ = this.auth_ = 0;
    this.isKeyed_ = this.isReplayable_ = this.isKeepalive_ = this.isSwapped_ = false;
    this.isUndecided_ = false;
    this.engine_ = this.started_ = this.input_ = this.init_ = this.signal_ = this.controller_ = this.response_ = this.status_ = this.info_ = this.waiting_ = this.reading_ = this.promise_ = this.direct_ = this.endedBy_ = this.likeness_ = undefined!;
    this.failureDetails_ = UNKNOWN;
  }

  open_(method: string | undefined, input: unknown, options: unknown): void {
    try {
      this.init_ = { ...this.config_.init_ };
      this.config_ = merge(this.config_, options, SCOPE_CALL, this.init_, this.isFetch_);
      this.isInit_ = this.isFetch_ && Object.keys(this.init_).length > Object.keys(this.view_.config_.init_).length;
      build(this as ReadyCall, method, input);
      parts?.release_(this);
      this.checkClosed_();
      if (this.hasSignals_()) this.listen_();
    } catch (error) {
      return failWith(this, error);
    }
  }

  /** Its response, which is covered now if it was not before. */
  covered_(): Response {
    const { response_: response, direct_: state } = this;
    this.direct_ = undefined;
    if (state) cover(response!, this, state);
    return response!;
  }

  listen_(): void {
    const signals = this.signals_();
    const aborted = abortedOf(signals);
    // The platform's fetch judges its arguments first, and takes the body of a Request.
    if (aborted && this.isFetch_ && !this.config_.fetch) checkArguments(this as ReadyCall);
    if (aborted) this.cancel_(reasonOf(aborted), true);
    if (this.isDone_) return;
    if (runtime.prepareSignal_) signals.forEach(runtime.prepareSignal_);
    listen(signals, this);
  }

  /** Most calls have none, and no list of them is made. */
  hasSignals_(): unknown {
    return this.signal_ || this.view_.hasSignal_;
  }

  /** The caller's, and those of the scopes that it belongs to. */
  signals_(): AbortSignal[] {
    const signals = this.signal_ ? [this.signal_] : [];
    for (let view: View | undefined = this.view_; view; view = view.parent_) if (view.signal_) signals.push(view.signal_);
    return signals;
  }

  /** A closed client, or one that it was made from, sends nothing more. */
  checkClosed_(): void {
    for (let view: View | undefined = this.view_; view; view = view.parent_) if (view.closed_) this.cancel_(view.closed_.reason_, false, view);
  }

  /** The listener on the caller's signal is the call itself: nothing to bind, one to remove. */
  handleEvent(event: Event | undefined): void {
    this.cancel_(reasonOf(event?.target), true);
  }

  /** @param view what ended as a whole, if that is why */
  cancel_(reason: unknown, isCallersAbort?: boolean, view?: View): void {
    if (this.isDone_ || this.isCancelled_) return;
    this.isCancelled_ = true;
    this.endedBy_ = view;
    // One that hears of it later than others of its scope, which fails with them.
    const aborted = abortedOf(this.signals_());
    if (aborted) [reason, isCallersAbort] = [reasonOf(aborted), true];
    this.isCallersAbort_ = isCallersAbort;
    this.cause_ = reason;
    if (this.engine_) return this.engine_.cancel_(this);
    abort(this);
    fail(this, ABORTED, this.sentAt_ ? 'headers' : 'load');
  }

  /** Throws what a callback throws. @param engine that will run it */
  start_(engine: Engine): void {
    this.announce_();
    // An observer may have cancelled it, or closed its client.
    this.checkClosed_();
    if (this.isDone_) return;
    place(this as ReadyCall, engine);
    this.engine_ = engine;
    this.hold_(true);
    engine.start_(this as ReadyCall);
  }

  /** The flags of `start`. */
  flags_(): number {
    const config = this.config_;
    const hooks = config.hooks;
    const preparing = hooks.beforeRequest || this.layersToAsk_ || this.bodyMaker_ || this.requestToRead_;
    return (
      (this.isReplayable_ ? CALL_REPLAYABLE : 0) |
      (this.isKeepalive_ ? CALL_KEEPALIVE : 0) |
      (preparing ? CALL_PREPARE : 0) |
      (config['retry.shouldRetry'] ? CALL_SHOULD_RETRY : 0) |
      (typeof config['retry.delay'] === 'function' ? CALL_DELAY : 0) |
      (hooks.beforeError && !this.isFetch_ ? CALL_BEFORE_ERROR : 0) |
      // The end of each attempt is counted.
      CALL_OBSERVE |
      (this.isKeyed_ ? CALL_KEYED : 0) |
      (config['outcomeLookup.url'] ? CALL_LOOKUP : 0) |
      (this.isFetch_ ? CALL_FETCH : 0) |
      (this.stream_ ? CALL_STREAMS_UPLOAD : 0) |
      ((config['retry.shouldRetry'] || hooks.beforeRetry) ? CALL_ERROR_DATA : 0)
    );
  }

  /** Whether an observer or a hook needs every attempt. */
  isWatched_(): unknown {
    return this.config_.onEvent || this.config_.hooks.beforeRetry;
  }

  /** Reports an event, unless the call has ended. */
  event_(kind: EventKind, value?: number): void {
    if (!this.isDone_) this.engine_?.run_('event', this.id_, this.attempt_, kind, value);
  }

  /** Reports what starts no clock, as of when anything was last reported. */
  eventUntimed_(kind: EventKind): void {
    if (!this.isDone_) this.engine_?.runAt_(recently(), 'event', this.id_, this.attempt_, kind);
  }

  /** Reports a piece of the body, by a number: anything else would throw in the engine. `more`: the next read is pending already. */
  chunk_(bytes: number, more?: boolean): void {
    if (!this.isDone_) this.engine_?.run_('chunk', this.id_, this.attempt_, bytes, more);
  }

  /** Whether the call keeps a Node process alive. */
  hold_(isHeld: boolean): void {
    if (isHeld && this.isDone_) return;
    if (isHeld !== this.isHeld_) this.engine_?.hold_(isHeld ? 1 : -1);
    this.isHeld_ = isHeld;
  }

  announce_(): void {
    if (this.isAnnounced_ || !this.config_.onEvent) return;
    this.isAnnounced_ = true;
    this.emit_('call-start', 'load', { method: this.method_, url: shownUrl(this.url_, this.config_), via: this.via_ as 'network' });
  }

  emit_<Type extends SteadfetchEvent['type']>(type: Type, phase: Phase | undefined, more?: EventFields<Type>): void {
    const { onEvent, name: dependency, operation } = this.config_;
    if (!onEvent) return;
    const left = Math.floor(this.timeLeft_());
    const event = {
      type,
      callId: this.callId_,
      dependency,
      operation,
      phase,
      attempt: this.attempt_,
      elapsedMs: this.elapsed_(),
      remainingMs: left < Infinity ? Math.max(0, left) : null,
      ...more,
    } as SteadfetchEvent;
    // Not there yet for a call that ends before anything is sent.
    if (this.config_.timings && parts) parts.emitTimed_(this, event);
    else observe(onEvent, event);
  }

  /** The time left until its deadline or that of its scope, in milliseconds and fractions. */
  timeLeft_(): number {
    const now = performance.now();
    return Math.min((this.started_ ?? now) + totalTimeout(this.config_), this.view_.deadline_) - now;
  }

  elapsed_(): number {
    return this.started_ === undefined ? 0 : Math.ceil(performance.now() - this.started_);
  }
}
