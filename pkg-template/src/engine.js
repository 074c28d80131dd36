// One wasm instance: its numbers in and out, its one timer, and its death.

import { SLOTS } from './generated.js';
import { abort, ask, attemptEnded, discard, prepare, send, tellRetry } from './attempt.js';
import { collectError, respond } from './answer.js';
import { beforeError, die, end } from './ending.js';
import { Numbers } from './numbers.js';
import { wasTaken } from './response.js';

// The events of docs/engine.md.
export const READY = 1;
export const STOP = 2;
export const REFUSED = 3;
export const FAILED = 4;
export const HOOKING = 5;
export const ANSWER = 6;
export const CALLBACK_FAILED = 7;
export const READING = 8;
export const BODY_END = 9;
export const DROPPED = 10;
export const STREAMING = 11;
export const PROBED = 12;
export const HOOKED = 13;

// The questions of `Ask`. The first one brings a FAILURE.
export const SHOULD_RETRY = 1;
export const DELAY = 2;

/** The action `End` of a call that went well. */
const WELL = 13;
/** Where the options start in `IN`. */
const OPTIONS_AT = 7;
/** How much of `IN` a header and its date may fill. */
const TEXT = 200;
/** The most that a timer holds. */
export const LONGEST = 2 ** 31 - 1;

/** Rounded up, so that no limit is ever early. */
export const now = () => Math.ceil(performance.now());

const isOnline = () => globalThis.navigator?.onLine !== false;
const choice = (value) => (value === undefined ? 0 : value ? 1 : 2);

export class Engine {
  /**
   * @param {WebAssembly.Module} module
   * @param {(engine: Engine) => void} onDeath
   */
  constructor(module, onDeath) {
    // Only numbers cross the border, so nothing that the module's glue would set up is needed.
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => {};
    this.wasm_ = new WebAssembly.Instance(module, imports).exports;
    this.in_ = this.wasm_.setup(...crypto.getRandomValues(new Uint32Array(4))) >>> 3;
    this.onDeath_ = onDeath;
    this.memory_ = new Float64Array(0);
    /** @type {Map<number, import('./call.js').Call>} */
    this.calls_ = new Map();
    this.actions_ = new Numbers();
    this.isActing_ = false;
    this.isDead_ = false;
    /** The engine's next deadline, and when the timer is due. */
    this.deadline_ = this.due_ = Infinity;
    this.timer_ = undefined;
    /** Calls that are more than an unread body: what keeps a Node process alive. */
    this.held_ = 0;
    this.onTimer_ = () => {
      this.timer_ = undefined;
      this.due_ = Infinity;
      this.run_(this.wasm_.tick, isOnline());
    };
    this.onOnline_ = () => this.run_(this.wasm_.online, isOnline());
  }

  /** A view of the memory, which moves when it grows. */
  view_() {
    const { buffer } = this.wasm_.memory;
    return this.memory_.buffer === buffer ? this.memory_ : (this.memory_ = new Float64Array(buffer));
  }

  /** @param {import('./call.js').Call} call */
  start_(call) {
    const { config_: config } = call;
    const view = this.view_();
    let at = this.in_;
    view[at] = Math.ceil(call.started_);
    view[at + 1] = call.methodNumber_;
    view[at + 2] = call.flags_();
    view[at + 3] = config.timeoutGiven_;
    view[at + 4] = config.totalGiven_;
    view[at + 5] = choice(config.idempotent);
    view[at + 6] = choice(config['retry.methods']?.includes(call.method_));
    view.set(config.slots_, at + OPTIONS_AT);
    at += OPTIONS_AT + SLOTS;
    for (const name of ['retry.statusCodes', 'retry.afterStatusCodes']) {
      const codes = config[name];
      view[at++] = codes ? codes.length : NaN;
      if (codes) view.set(codes, at);
      if (codes) at += codes.length;
    }
    this.starting_ = call;
    this.run_(this.wasm_.start);
  }

  /** The wait that a header asks for in milliseconds; NaN if it says nothing. */
  retryAfter_(value, source, date) {
    const text = value + date;
    if (text.length > TEXT) return NaN;
    const view = this.view_();
    for (let at = 0; at < text.length; at++) view[this.in_ + at] = text.charCodeAt(at);
    try {
      return this.wasm_.retry_after(value.length, source, date.length, Date.now());
    } catch (error) {
      this.die_(error);
      return NaN;
    }
  }

  /** Calls an export, then does what the engine says. Whatever is thrown out of an export is a trap. */
  run_(entry, a, b, c, d, e, f) {
    if (this.isDead_) return;
    const { actions_: actions } = this;
    try {
      const out = entry(now(), a, b, c, d, e, f) >>> 3;
      const view = this.view_();
      const end = out + view[out];
      this.deadline_ = view[out + 1];
      const { starting_: started } = this;
      if (started) {
        this.starting_ = undefined;
        this.calls_.set((started.id_ = view[out + 2]), started);
      }
      for (let at = out + 3; at < end; at++) actions.push_(view[at]);
      // Re-entered, by a listener or a hook: the outer run goes on with what has come.
      if (this.isActing_) return;
      this.isActing_ = true;
      while (!actions.isEmpty_()) this.act_(actions);
      this.isActing_ = false;
      this.arm_();
    } catch (error) {
      this.die_(error);
    }
  }

  act_(actions) {
    const kind = actions.next_();
    const id = actions.next_();
    const call = this.calls_.get(id);
    switch (kind) {
      case 1:
        return prepare(call, actions.next_());
      case 2:
        return send(call, actions.next_());
      case 3:
        actions.next_();
        return abort(call);
      case 4:
        actions.next_();
        return discard(call);
      case 5: {
        const [, question, value] = actions.take_(3);
        return ask(call, question, value, question === SHOULD_RETRY ? actions.failure_() : undefined);
      }
      case 6: {
        const [, wait, code] = actions.take_(3);
        return tellRetry(call, wait, code);
      }
      case 7:
        return attemptEnded(call, actions.attempt_());
      case 8:
        return respond(call, actions.next_(), actions.next_());
      case 9:
        return collectError(call);
      case 10:
        return beforeError(call, actions.failure_());
      case 11:
        return call.event_(PROBED, wasTaken(call.response_) ? 1 : 0);
      case 12:
        return globalThis[actions.next_() ? 'addEventListener' : 'removeEventListener']?.('online', this.onOnline_);
      default:
        this.calls_.delete(id);
        return end(call, kind === WELL ? undefined : actions.failure_());
    }
  }

  /** One timer for all calls, armed for the earliest deadline. One that is armed too early finds nothing to do. */
  arm_() {
    const { deadline_: deadline } = this;
    if (deadline < this.due_ || deadline === Infinity) {
      if (this.timer_ !== undefined) clearTimeout(this.timer_);
      this.timer_ = undefined;
      this.due_ = deadline;
      if (deadline < Infinity) {
        this.timer_ = setTimeout(this.onTimer_, Math.min(Math.max(0, Math.ceil(deadline - performance.now())), LONGEST));
      }
    }
    this.timer_?.[this.held_ > 0 ? 'ref' : 'unref']?.();
  }

  /** A trap leaves nothing behind: every call settles, and the timer goes. */
  die_(error) {
    if (this.isDead_) return;
    this.isDead_ = true;
    const calls = [...this.calls_.values()];
    if (this.starting_) calls.push(this.starting_);
    this.calls_.clear();
    this.deadline_ = Infinity;
    this.arm_();
    globalThis.removeEventListener?.('online', this.onOnline_);
    this.onDeath_(this);
    for (const call of calls) die(call, error);
  }
}
