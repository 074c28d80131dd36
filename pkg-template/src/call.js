// One call: what is known about it, and what it tells the engine. `attempt.js` performs the engine's actions, `ending.js`
// is the one place where it settles.

import { ABORTED, PHASES, PHASE_HEADERS, PHASE_LOAD, SCOPE_CALL } from './generated.js';
import { abort } from './attempt.js';
import { fail, note } from './ending.js';
import { begin } from './load.js';
import { observe } from './observers.js';
import { merge, totalTimeout } from './options.js';
import { build } from './request.js';
import { shownUrl } from './url.js';

let calls = 0;

export class Call {
  /**
   * @param {object} view the client's: its options, and its place among others
   * @param {boolean} isFetch whether it came through `api.fetch`
   * @param {(response: Response) => void} resolve
   * @param {(error: unknown) => void} reject
   */
  constructor(view, isFetch, resolve, reject) {
    this.view_ = view;
    this.config_ = view.config_;
    this.isFetch_ = isFetch;
    this.resolve_ = resolve;
    this.reject_ = reject;
    this.callId_ = ++calls;
    this.started_ = performance.now();
    // The request.
    this.input_ = this.init_ = this.signal_ = undefined;
    this.url_ = this.method_ = '';
    this.methodNumber_ = 0;
    this.isKeyed_ = this.isReplayable_ = this.isKeepalive_ = false;
    this.layersToAsk_ = this.bodyMaker_ = this.requestToRead_ = undefined;
    /** A Request that can be sent once only: it has the body of this attempt. */
    this.once_ = undefined;
    // The current attempt.
    this.engine_ = undefined;
    this.id_ = this.attempt_ = this.sentAt_ = this.headAt_ = 0;
    this.controller_ = this.response_ = undefined;
    /** Attempts that are over, if anybody wants to know. */
    this.log_ = undefined;
    // The response that was handed out.
    this.info_ = this.reader_ = undefined;
    this.isStreaming_ = this.isValidating_ = this.isHeld_ = false;
    /** Of the deadline, while the engine is being loaded. */
    this.timer_ = undefined;
    this.via_ = 'network';
    this.received_ = 0;
    /** The body and its clones that are still of use. */
    this.branches_ = 1;
    /** Whoever waits for the body, to be told of a failure. */
    this.waiting_ = undefined;
    // The end.
    this.isDone_ = this.isCancelled_ = this.isCallersAbort_ = this.isAnnounced_ = false;
    /** The reason of an abort. */
    this.cause_ = undefined;
    /** What the platform or a callback threw. */
    this.original_ = undefined;
    this.details_ = this.hint_ = this.issues_ = this.data_ = undefined;
    /** What the beforeError hooks gave. */
    this.given_ = undefined;
    /** What the call was rejected with. */
    this.failure_ = undefined;
    this.hasFailed_ = false;
  }

  open_(method, input, options) {
    try {
      this.config_ = merge(this.config_, options, SCOPE_CALL, this.isFetch_);
      this.init_ = this.config_.init_;
      build(this, method, input);
    } catch (refusal) {
      note(this, refusal);
      return fail(this, refusal.code_);
    }
    for (let view = this.view_; view; view = view.parent_) {
      if (view.closed_) return this.cancel_(view.closed_.reason_);
    }
    const { signal_: signal } = this;
    if (signal?.aborted) return this.cancel_(signal.reason, true);
    signal?.addEventListener('abort', this);
    begin(this);
  }

  /** The listener on the caller's signal is the call itself: nothing to bind, one to remove. */
  handleEvent() {
    this.cancel_(this.signal_.reason, true);
  }

  cancel_(reason, isCallersAbort = false) {
    if (this.isDone_ || this.isCancelled_) return;
    this.isCancelled_ = true;
    this.isCallersAbort_ = isCallersAbort;
    this.cause_ = reason;
    if (this.engine_) {
      this.engine_.run_(this.engine_.wasm_.cancel, this.id_);
    } else {
      abort(this);
      fail(this, ABORTED, this.sentAt_ ? PHASE_HEADERS : PHASE_LOAD);
    }
  }

  start_(engine) {
    this.announce_();
    // An observer may have cancelled it.
    if (this.isDone_) return;
    this.engine_ = engine;
    this.hold_(true);
    engine.start_(this);
  }

  /** What the engine is told about the call when it starts (docs/engine.md). */
  flags_() {
    const { config_: config } = this;
    const { hooks } = config;
    const toPrepare = hooks.beforeRequest || this.layersToAsk_ || this.bodyMaker_ || this.requestToRead_;
    return (
      (this.isReplayable_ ? 1 : 0) |
      (this.isKeepalive_ ? 2 : 0) |
      (toPrepare ? 4 : 0) |
      (config['retry.shouldRetry'] ? 8 : 0) |
      (typeof config['retry.delay'] === 'function' ? 16 : 0) |
      (hooks.beforeError && !this.isFetch_ ? 32 : 0) |
      (config.onEvent || hooks.beforeRetry ? 64 : 0) |
      (this.isKeyed_ ? 128 : 0) |
      (this.isFetch_ ? 256 : 0)
    );
  }

  /** Reports an event, if there is still anybody to report it to. */
  event_(kind, value) {
    const { engine_: engine } = this;
    if (engine && !this.isDone_) engine.run_(engine.wasm_.event, this.id_, this.attempt_, kind, value);
  }

  /** Reports a piece of the body; `more`: the next read is pending already. */
  chunk_(bytes, more) {
    const { engine_: engine } = this;
    if (engine && !this.isDone_) engine.run_(engine.wasm_.chunk, this.id_, this.attempt_, bytes, more);
  }

  /** Whether the call keeps a Node process alive. */
  hold_(held) {
    if (held !== this.isHeld_ && this.engine_) this.engine_.held_ += held ? 1 : -1;
    this.isHeld_ = held;
  }

  announce_() {
    if (this.isAnnounced_) return;
    this.isAnnounced_ = true;
    this.tell_('call-start', PHASE_LOAD, { method: this.method_, url: shownUrl(this.url_), via: this.via_ });
  }

  tell_(type, phase, more) {
    const { onEvent, name, operation } = this.config_;
    if (!onEvent) return;
    const elapsedMs = this.elapsed_();
    const total = totalTimeout(this.config_);
    observe(onEvent, {
      type,
      callId: this.callId_,
      dependency: name,
      operation,
      phase: PHASES[phase],
      attempt: this.attempt_,
      elapsedMs,
      remainingMs: total === Infinity ? null : Math.max(0, total - elapsedMs),
      ...more,
    });
  }

  elapsed_() {
    return Math.ceil(performance.now() - this.started_);
  }
}
