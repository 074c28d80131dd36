// Runs one callback of an `auth` object, and recognizes the calls that it starts: these bypass auth and queue, since they would wait for a
// token, or for a slot, that waits for this callback.

import type { AuthContext, AuthOptions } from '../auth.js';
import type { AuthSession } from './auth-session.js';
import type { CallState } from './call-state.js';
import type { Config, Init, View } from './config.js';
import type { Engine, Moment } from './shapes.js';

import { provided } from './provided.js';

/** The `auth` object whose callback is running: calls that it starts before it returns are its own. Later ones cannot be told apart. */
let inside: AuthOptions | undefined;
/** The `auth` objects of the signals that callbacks were given. */
const bySignal = new WeakMap<AbortSignal, AuthOptions>();

type Callback = 'getToken' | 'refreshToken';

/** Frees a call that a callback has started. */
export function release(call: CallState): void {
  const auth = inside ?? bySignal.get(call.signal_!);
  if (auth) call.config_ = freed(call.config_, auth);
}

const freed = (config: Config, auth: AuthOptions): Config => ({
  ...config,
  auth_: config.auth_ === auth ? undefined : config.auth_,
  shared_: { ...config.shared_, queue: 0 },
});

/** The argument of a callback. Its members are made on demand: most callbacks use neither. */
class Tools implements AuthContext {
  #work: CallbackRun;

  constructor(work: CallbackRun) {
    this.#work = work;
  }

  get signal(): AbortSignal {
    return this.#work.signalOf_();
  }

  get fetch(): AuthContext['fetch'] {
    return this.#work.fetchOf_();
  }
}

/** One run of a callback. */
export class CallbackRun {
  declare readonly session_: AuthSession;
  declare readonly name_: Callback;
  declare readonly engine_: Engine | undefined;
  declare readonly sent_: string | undefined;
  declare readonly began_: Moment;
  declare isAborted_: boolean;
  /** Whether the observers know how it went. */
  declare isTold_: boolean;
  /** The calls that are none of its own: those that it makes before it returns have no part in `auth`. */
  declare earlier_: ReadonlySet<CallState>;
  declare private controller_?: AbortController;
  declare private reason_: unknown;

  constructor(desk: AuthSession, name: Callback) {
    this.session_ = desk;
    this.name_ = name;
    /** Of that time: the engine, and the token. */
    this.engine_ = desk.engine_;
    this.sent_ = desk.sent_;
    this.began_ = performance.now();
    this.isAborted_ = this.isTold_ = false;
  }

  /** Calls it, and hands on what it gives: at once, unless that is a promise. */
  run_(done: (value: unknown) => unknown, failed: (error: unknown) => unknown): unknown {
    const { auth_: auth, first_: config } = this.session_;
    const outer = inside;
    let value: unknown;
    try {
      inside = auth;
      value = config[`auth.${this.name_}`]!.call(auth, new Tools(this));
      if (typeof (value as PromiseLike<unknown> | undefined)?.then === 'function') {
        this.earlier_ = new Set(this.session_.calls_());
        return void Promise.resolve(value).then(done, failed);
      }
    } catch (error) {
      return failed(error);
    } finally {
      inside = outer;
    }
    return done(value);
  }

  signalOf_(): AbortSignal {
    if (!this.controller_) {
      this.controller_ = new AbortController();
      bySignal.set(this.controller_.signal, this.session_.auth_);
      if (this.isAborted_) this.controller_.abort(this.reason_);
    }
    return this.controller_.signal;
  }

  fetchOf_(): AuthContext['fetch'] {
    const config: Config & { init_: Init } = freed(this.session_.config_(), this.session_.auth_);
    config.init_ = { ...config.init_, signal: this.signalOf_() };
    // A view without a parent: the client that it comes from may be closed while others go on.
    const view: View = { config_: config, fetchConfig_: config, deadline_: Infinity };
    return (input, init) => provided.fetchBy_(view, input, init);
  }

  abort_(reason: unknown): void {
    this.isAborted_ = true;
    this.reason_ = reason;
    this.controller_?.abort(reason);
  }
}
