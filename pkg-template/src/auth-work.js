// The callbacks of an `auth` object: what they are given, and which calls they start. Such a call would wait for a token, or
// for a slot, that may wait for this very callback: so it goes without.

import { lent } from './lent.js';

/** The `auth` object whose callback is running: what it starts before it returns is its own. Later nobody can tell. */
let inside;
/** The `auth` objects of the signals that callbacks were given. */
const bySignal = new WeakMap();

/** Frees a call that a callback has started. */
export function release(call) {
  const auth = inside ?? bySignal.get(call.signal_);
  if (auth) call.config_ = freed(call.config_, auth);
}

const freed = (config, auth) => ({
  ...config,
  auth_: config.auth_ === auth ? undefined : config.auth_,
  shared_: { ...config.shared_, queue: 0 },
});

/** What a callback is given, made when it looks at it: most want neither. */
class Tools {
  #work;

  constructor(work) {
    this.#work = work;
  }

  get signal() {
    return this.#work.signalOf_();
  }

  get fetch() {
    return this.#work.fetchOf_();
  }
}

/** One run of a callback. */
export class Work {
  constructor(desk, name) {
    this.desk_ = desk;
    this.name_ = name;
    /** Of that time: the engine, and the token. */
    this.host_ = desk.host_;
    this.sent_ = desk.sent_;
    this.began_ = performance.now();
    this.isAborted_ = this.isTold_ = false;
  }

  /** Calls it, and hands on what it gives: at once, unless that is a promise. */
  run_(done, failed) {
    const { auth_: auth, first_: config } = this.desk_;
    const outer = inside;
    let value;
    try {
      inside = auth;
      value = config[`auth.${this.name_}`].call(auth, new Tools(this));
      if (typeof value?.then === 'function') {
        /** The calls that are none of its own: those that it makes before it returns have no part in `auth`. */
        this.earlier_ = new Set(this.desk_.calls_());
        return void Promise.resolve(value).then(done, failed);
      }
    } catch (error) {
      return failed(error);
    } finally {
      inside = outer;
    }
    return done(value);
  }

  signalOf_() {
    if (!this.controller_) {
      this.controller_ = new AbortController();
      bySignal.set(this.controller_.signal, this.desk_.auth_);
      if (this.isAborted_) this.controller_.abort(this.reason_);
    }
    return this.controller_.signal;
  }

  fetchOf_() {
    const config = freed(this.desk_.config_(), this.desk_.auth_);
    config.init_ = { ...config.init_, signal: this.signalOf_() };
    // A view of nobody: the client that it comes from may be closed, and others go on.
    const view = { config_: config, fetchConfig_: config, deadline_: Infinity };
    return (input, init) => lent.fetchBy_(view, input, init);
  }

  abort_(reason) {
    this.isAborted_ = true;
    this.reason_ = reason;
    this.controller_?.abort(reason);
  }
}
