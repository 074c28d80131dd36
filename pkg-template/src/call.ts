// One call: what is known about it, and what it tells the engine. `attempt.js` performs the engine's actions, `ending.js`
// is the one place where it settles.

import type { AttemptInfo, ErrorCode, Phase } from '../errors.js';
import type { SteadfetchEvent } from '../events.js';
import type { CallState, Config, HeaderLayer, Instance, Moment, Reading, ResponseFacts, View, Why } from './shapes.js';

import { ABORTED, SCOPE_CALL } from './generated.js';
import { abort } from './attempt.js';
import { breakOff, fail } from './ending.js';
import { UNKNOWN } from './errors.js';
import { host } from './host.js';
import { recently } from './instance.js';
import { place } from './keys.js';
import { begin, beginLater, parts } from './load.js';
import { observe } from './observers.js';
import { merge, totalTimeout } from './options.js';
import {
  CALL_BEFORE_ERROR,
  CALL_DELAY,
  CALL_ERROR_DATA,
  CALL_FETCH,
  CALL_KEEPALIVE,
  CALL_KEYED,
  CALL_OBSERVE,
  CALL_PREPARE,
  CALL_REPLAYABLE,
  CALL_SHOULD_RETRY,
  CALL_STREAMS_UPLOAD,
} from './protocol.js';
import { build, judge } from './request.js';
import { abortedOf, listen, reasonOf } from './signals.js';
import { snapshot } from './upload.js';
import { shownUrl } from './url.js';

let calls = 0;

/** A call through `api.fetch`. */
export function fetchBy(view: View, input: unknown, init?: unknown): Promise<Response> {
  return new Promise((resolve, reject) => new Call(view, true, resolve, reject).open_(undefined, input, init));
}

export class Call implements CallState {
  declare readonly view_: View;
  declare config_: Config;
  declare readonly isFetch_: boolean;
  declare readonly callId_: number;
  /** The instance of the engine that it was started in, and its number there. */
  declare host_: Instance<Call> | undefined;
  declare id_: number;
  /** When it began; undefined if a check of ours has stopped it. */
  declare started_: Moment | undefined;

  declare url_: string;
  declare method_: string;
  declare methodNumber_: number;
  /** What fetch is given: a URL or a Request. */
  declare input_: string | Request;
  /** And its init. */
  declare init_: RequestInit;
  /** Whether the caller has given something of an init. */
  declare isInit_: boolean;
  /** A Request of another implementation, built anew for the platform's fetch. */
  declare isRebuilt_?: boolean;
  /** Header layers of which some are functions. */
  declare layersToAsk_?: readonly HeaderLayer[];
  /** A body function. */
  declare bodyMaker_?: () => unknown;
  /** A Request whose body has to be kept for a second send. */
  declare requestToRead_?: Request | undefined;
  /** A body that is sent as a stream. */
  declare stream_?: unknown;
  declare isKeyed_: unknown;
  declare isReplayable_: boolean;
  declare isKeepalive_: boolean | undefined;
  /** Whether a hook has changed what makes it one to repeat. */
  declare isSwapped_: boolean;
  declare signal_: AbortSignal | undefined;

  // The numbers of what it shares with others; 0: nothing.
  declare budget_: number;
  declare circuitKey_: number;
  declare lane_: number;
  declare turn_: number;
  declare auth_: number;
  /** The name of its circuit, if it has one. */
  declare circuit_?: string;

  declare attempt_: number;
  declare isResend_: boolean;
  declare resends_: number;
  /** What was left of the total time when the attempt was sent. */
  declare left_: number;
  declare sentAt_: Moment;
  declare headAt_: Moment;
  declare queuedAt_: Moment;
  declare controller_: AbortController | undefined;
  /** A Request that has the body of this attempt, and can be sent once only; and its init. */
  declare once_?: Request | undefined;
  declare onceInit_?: RequestInit;
  /** The init of the attempt that was sent last. */
  declare sent_: RequestInit;
  /** The bytes of its keepalive body that are under way. */
  declare kept_: number;
  declare isOut_: boolean;

  declare via_: 'network' | 'hook';
  declare response_: Response;
  /** Of the response, once it has been read: what a custom fetch made up may say another one each time. */
  declare status_: number | undefined;
  /** A retry that an afterResponse hook has asked for. */
  declare demand_?: number | undefined;
  /** What was collected of an error's body. */
  declare data_?: unknown;
  /** Attempts that failed, and all that are over if anybody wants to know. */
  declare log_?: AttemptInfo[];
  /** Of the response that was handed out. */
  declare info_: ResponseFacts | undefined;
  declare received_: number;
  /** The body and its clones that are still of use. */
  declare branches_: number;
  declare reader_: ReadableStreamDefaultReader | undefined;
  /** Whether the platform reads the body by itself. */
  declare isBlind_?: boolean;
  declare isValidating_?: boolean;
  declare issues_?: unknown;

  /** Both for a shortcut only once somebody asks for its promise. */
  declare resolve_: ((response: Response) => void) | undefined;
  declare reject_: ((error: unknown) => void) | undefined;
  /** The reader of a shortcut that was called before the call was sent. */
  declare reading_: Reading | undefined;
  /** Of the response of a shortcut, once somebody has asked for it. */
  declare promise_: Promise<Response> | undefined;
  /** The state of a response that is read without being covered. */
  declare direct_: object | undefined;
  /** What resolves and what rejects each promise of the body, in turns. */
  declare waiting_: (((value: never) => void) | undefined)[] | undefined;
  declare isUndecided_: boolean;
  declare isStreaming_?: boolean;
  /** Guards the time and the signal until the engine is there. */
  declare timer_?: ReturnType<typeof setTimeout>;

  declare isDone_: boolean;
  declare isHeld_: boolean;
  declare isAnnounced_?: boolean;
  declare isCancelled_?: boolean;
  declare isCallersAbort_?: boolean | undefined;
  /** The reason of an abort. */
  declare cause_?: unknown;
  /** The view that ended with all its calls. */
  declare endedBy_: View | undefined;
  /** What an own check said (a Refusal), or what was thrown: `original_`. */
  declare why_: Why;
  /** What the beforeError hooks gave. */
  declare given_?: unknown;
  /** What the call was rejected with. */
  declare failure_?: unknown;
  declare hasFailed_: boolean;
  declare code_?: ErrorCode | undefined;

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
    this.kept_ = this.id_ = this.methodNumber_ = this.budget_ = this.circuitKey_ = this.lane_ = this.turn_ = this.auth_ = 0;
    this.isKeyed_ = this.isReplayable_ = this.isKeepalive_ = this.isSwapped_ = false;
    this.isUndecided_ = false;
    this.host_ = this.started_ = this.input_ = this.init_ = this.signal_ = this.controller_ = this.response_ = this.status_ = this.info_ = this.waiting_ = this.reading_ = this.promise_ = this.direct_ = this.endedBy_ = undefined!;
    this.why_ = UNKNOWN;
  }

  open_(method: string | undefined, input: unknown, options: unknown): void {
    try {
      this.init_ = { ...this.config_.init_ };
      this.config_ = merge(this.config_, options, SCOPE_CALL, this.init_, this.isFetch_);
      this.isInit_ = this.isFetch_ && Object.keys(this.init_).length > Object.keys(this.view_.config_.init_).length;
      build(this, method, input);
      parts?.release_(this);
      this.heed_();
      if (this.hasSignals_()) this.listen_();
    } catch (error) {
      return breakOff(this, error);
    }
    if (!this.isDone_) (this.isFetch_ || this.isKeepalive_ ? begin : beginLater)(this);
    // What fetch has not been given yet.
    if (this.isFetch_ && !this.sentAt_ && this.init_?.body) this.init_.body = snapshot(this.init_.body) as BodyInit;
  }

  listen_(): void {
    const signals = this.signals_();
    const aborted = abortedOf(signals);
    // The platform's fetch judges its arguments first, and takes the body of a Request.
    if (aborted && this.isFetch_ && !this.config_.fetch) judge(this);
    if (aborted) this.cancel_(reasonOf(aborted), true);
    if (this.isDone_) return;
    if (host.prepareSignal_) signals.forEach(host.prepareSignal_);
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
  heed_(): void {
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
    if (this.host_) return this.host_.cancel_(this);
    abort(this);
    fail(this, ABORTED, this.sentAt_ ? 'headers' : 'load');
  }

  /** Throws what a callback throws. @param host the instance whose call it becomes */
  start_(host: Instance<Call>): void {
    this.announce_();
    // An observer may have cancelled it, or closed its client.
    this.heed_();
    if (this.isDone_) return;
    place(this, host);
    this.host_ = host;
    this.hold_(true);
    host.start_(this);
  }

  /** What the engine is told about the call when it starts, a bit each. */
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
      (this.isFetch_ ? CALL_FETCH : 0) |
      (this.stream_ ? CALL_STREAMS_UPLOAD : 0) |
      ((config['retry.shouldRetry'] || hooks.beforeRetry) ? CALL_ERROR_DATA : 0)
    );
  }

  /** Whether anybody wants to know of each attempt. */
  isWatched_(): unknown {
    return this.config_.onEvent || this.config_.hooks.beforeRetry;
  }

  /** Reports an event, if there is still anybody to report it to. */
  event_(kind: number, value?: unknown): void {
    if (!this.isDone_) this.host_?.run_('event', this.id_, this.attempt_, kind, value);
  }

  /** Reports what starts no clock, as of when anything was last reported. */
  eventUntimed_(kind: number): void {
    if (!this.isDone_) this.host_?.runAt_(recently(), 'event', this.id_, this.attempt_, kind);
  }

  /** Reports a piece of the body, by a number: anything else would throw in the engine. `more`: the next read is pending already. */
  chunk_(bytes: number, more?: boolean): void {
    if (!this.isDone_) this.host_?.run_('chunk', this.id_, this.attempt_, bytes, more);
  }

  /** Whether the call keeps a Node process alive. */
  hold_(isHeld: boolean): void {
    if (isHeld && this.isDone_) return;
    if (isHeld !== this.isHeld_) this.host_?.hold_(isHeld ? 1 : -1);
    this.isHeld_ = isHeld;
  }

  announce_(): void {
    if (this.isAnnounced_ || !this.config_.onEvent) return;
    this.isAnnounced_ = true;
    this.tell_('call-start', 'load', { method: this.method_, url: shownUrl(this.url_, this.config_), via: this.via_ });
  }

  tell_(type: SteadfetchEvent['type'], phase: Phase | undefined, more?: object): void {
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
    if (this.config_.timings && parts) parts.tellTimed_(this, event);
    else observe(onEvent, event);
  }

  /** What is left until its deadline or that of its scope, in milliseconds and parts of them. */
  timeLeft_(): number {
    const now = performance.now();
    return Math.min((this.started_ ?? now) + totalTimeout(this.config_), this.view_.deadline_) - now;
  }

  elapsed_(): number {
    return this.started_ === undefined ? 0 : Math.ceil(performance.now() - this.started_);
  }
}
