// The session of one `auth` object: runs its callbacks, keeps its tokens and its lock. The engine decides whether and when (core/src/refresh);
// it knows no strings, and says which token to adopt.

import type { AuthOptions } from '../auth.js';
import type { CallState } from './call-state.js';
import type { Config, Counts } from './config.js';
import type { AuthEventKind, Verb } from './protocol.js';
import type { Engine, FailureDetails, Get, Numeric } from './shapes.js';

import { TabLock, hasLocks } from './auth-lock.js';
import { CallbackRun } from './auth-callback.js';
import { originOfHome } from './home.js';
import { provided } from './provided.js';
import {
  AUTH_FAILED,
  AUTH_LOCKED,
  AUTH_LOST,
  AUTH_NO_LOCK,
  AUTH_REFRESHED,
  AUTH_RENEWED,
  AUTH_TICKET,
  AUTH_TOKEN,
  AUTH_VERB,
  VERB_ABORT,
  VERB_ADOPT,
  VERB_ASK_TOKEN,
  VERB_LOCK,
  VERB_STEAL,
  VERB_UNLOCK,
} from './protocol.js';

/** Options with `auth` among them. */
type AuthConfig = Config & { readonly auth_: AuthOptions };

/** By the caller's objects, which are what clients have in common. */
const sessions = new WeakMap<AuthOptions, AuthSession>();
/** The same by their numbers, without keeping them: a session is collected with its `auth` object. */
const numbered = new Map<number, { deref(): AuthSession | undefined }>();
/** Both are missing from older workerd, where an `auth` object is kept for as long as the isolate. */
const { FinalizationRegistry, WeakRef = class { declare deref: () => object; constructor(kept: object) { this.deref = () => kept; } } } = globalThis as Partial<typeof globalThis>;
const gone = FinalizationRegistry && new FinalizationRegistry<number>((number) => {
  numbered.delete(number);
  for (const engine of provided.engines_) engine.ask_('drop_auth', number);
});

/** The options of the client that was given it, as its `fetch` has them: those of a view, or of a call, are no business of others. */
function givenTo({ view_: view, config_: { auth_: auth } }: CallState): Config {
  while (view.parent_?.config_.auth_ === auth) view = view.parent_!;
  return view.fetchConfig_;
}

/** The desk of a call's `auth`. */
export function sessionOf(call: CallState, engine: Engine | undefined = call.engine_): AuthSession {
  const { auth_: auth } = call.config_ as AuthConfig;
  const known = sessions.get(auth);
  let desk = known;
  // Where each request has an engine of its own, nothing that one request waits for is left to another.
  while (desk && engine && desk.engine_ !== engine && provided.engines_.has(desk.engine_!)) desk = desk.other_;
  if (!desk) {
    sessions.set(auth, (desk = new AuthSession(givenTo(call))));
    numbered.set(desk.number_, new WeakRef(desk) as WeakRef<AuthSession>);
    gone?.register(auth, desk.number_);
    if (known) {
      desk.other_ = known;
      desk.sent_ = known.sent_;
      desk.lastToken_ = known.lastToken_;
    }
  }
  return desk;
}

/** Performs an action of the engine on an `auth` object. */
export function actOnAuth(number: number, get: Get): void {
  numbered.get(number)?.deref()?.perform_(get(AUTH_VERB) as Verb, get(AUTH_TICKET));
}

/** After a crash of an engine: releases its locks to other tabs, and aborts its callbacks. */
export function abandon(engine: Engine): void {
  for (const reference of numbered.values()) {
    const desk = reference.deref();
    if (desk?.engine_ === engine) desk.leave_();
  }
}

/** Where the token may go: a view with another base URL does not take it along. */
export const originsOf = (config: Config): readonly (string | undefined)[] => config['auth.origins'] ?? [originOfHome(config.home_)];

/** As it is written in the header; undefined if there is none. */
export const credential = ({ 'auth.scheme': scheme = 'Bearer' }: Config, token: string | undefined): string | undefined =>
  token === undefined ? undefined : scheme ? `${scheme} ${token}` : token;

/** Reports the result of a callback: the kind of `auth_event`, and its values. */
type Report = (kind: AuthEventKind, a?: Numeric, b?: Numeric, c?: Numeric, d?: Numeric) => void;

class AuthSession {
  declare readonly auth_: AuthOptions;
  declare readonly first_: Config;
  declare readonly number_: number;
  /** By the tickets of the engine. */
  declare private readonly runs_: Map<number, CallbackRun>;
  /** The token that is sent, what `getToken` gave last, and what the engine may adopt. */
  declare sent_: string | undefined;
  declare lastToken_: string | undefined;
  declare private candidate_: string | undefined;
  declare engine_: Engine | undefined;
  /** That of the same object for another request, where each has an engine of its own. */
  declare other_: AuthSession | undefined;
  /** Whether its engine has asked for no token yet. */
  declare private isNew_: boolean;
  declare private lock_: TabLock | undefined;
  /** Why the last `getToken`, and the last refresh, failed. */
  declare askFailure_: FailureDetails | undefined;
  declare refreshFailure_: FailureDetails | undefined;

  /** @param config of the first client: its callbacks, limits and lock serve all clients of this `auth` object */
  constructor(config: Config) {
    this.auth_ = config.auth_!;
    this.first_ = config;
    this.number_ = provided.nextShared_();
    this.runs_ = new Map();
    this.sent_ = this.lastToken_ = this.candidate_ = undefined;
  }

  /** Makes itself known to an engine. It has the tokens of one that died, and knows nothing of their age. */
  open_(engine: Engine): void {
    if (this.engine_ === engine) return;
    this.engine_ = engine;
    this.isNew_ = true;
    const config = this.first_;
    engine.ask_(
      'auth',
      this.number_,
      !!config['auth.getToken'],
      config['auth.lock'] === 'origin' && hasLocks(),
      config['auth.refreshTimeout'] ?? NaN,
      config['auth.refreshBefore'] ?? NaN,
    );
  }

  /** The engine has died. */
  leave_(): void {
    this.engine_ = undefined;
    this.unlock_();
    for (const work of this.runs_.values()) work.abort_(new DOMException('the engine has stopped', 'AbortError'));
    this.runs_.clear();
  }

  perform_(verb: Verb, ticket: number): void {
    if (verb === VERB_ADOPT) this.sent_ = this.candidate_;
    else if (verb === VERB_ABORT) this.abort_(ticket);
    else if (verb === VERB_UNLOCK) this.unlock_();
    else if (verb === VERB_ASK_TOKEN) this.run_(ticket, 'getToken', this.asked_);
    else if (verb === VERB_LOCK || verb === VERB_STEAL) this.take_(ticket, verb === VERB_STEAL);
    else this.refresh_(ticket);
  }

  /** The calls that are under way with it. */
  calls_(): CallState[] {
    return provided.openCalls_().filter(({ config_: config }) => config.auth_ === this.auth_) as CallState[];
  }

  /** The counts of the clients whose calls wait; of the first client if none does. */
  private counts_(): Set<Counts> {
    const configs = this.calls_().map(({ config_: config }) => config);
    return new Set((configs.length ? configs : [this.first_]).map(({ counts_: counts }) => counts));
  }

  /** The config of the client whose `fetch` the callbacks get. */
  config_(): Config {
    const [call] = this.calls_();
    return call ? givenTo(call) : this.first_;
  }

  private report_(engine: Engine | undefined, ticket: number, kind: AuthEventKind, a?: Numeric, b?: Numeric, c?: Numeric, d?: Numeric): void {
    engine!.run_('auth_event', this.number_, ticket, kind, a, b, c, d);
  }

  // The lock.

  private take_(ticket: number, isSteal: boolean): void {
    this.unlock_();
    this.refreshFailure_ = undefined;
    const { engine_: engine } = this;
    const report = (kind: AuthEventKind) => () => lock === this.lock_ && this.report_(engine, ticket, kind);
    const name = this.first_['auth.lockName'] ?? `steadfetch:${originsOf(this.first_)[0]}`;
    const lock: TabLock = (this.lock_ = new TabLock(name, isSteal, report(AUTH_LOCKED), report(AUTH_NO_LOCK)));
  }

  private unlock_(): void {
    this.lock_?.release_();
    this.lock_ = undefined;
  }

  // The callbacks.

  private run_(ticket: number, name: 'getToken' | 'refreshToken', done: (work: CallbackRun, value: unknown, report: Report) => void): void {
    const work = new CallbackRun(this, name);
    const { engine_: engine } = this;
    const report: Report = (...told) => {
      this.runs_.delete(ticket);
      this.report_(engine, ticket, ...told);
    };
    const failed = (error: unknown) => {
      this.note_(work, { original_: error });
      report(AUTH_FAILED, isLost(error), statusOf(error));
    };
    this.runs_.set(ticket, work);
    work.run_((value) => {
      try {
        done.call(this, work, value, report);
      } catch (error) {
        failed(error);
      }
    }, failed);
  }

  /** Keeps why it failed, for the errors of the calls that wait for it. */
  private note_(work: CallbackRun, why: FailureDetails): void {
    if (work.isAborted_) return;
    if (work.name_ === 'getToken') this.askFailure_ = why;
    else {
      this.refreshFailure_ = why;
      this.emit_(work, false);
    }
  }

  private abort_(ticket: number): void {
    const work = this.runs_.get(ticket);
    if (!work) return;
    const { name_: name } = work;
    const reason = new DOMException('refreshTimeout has passed', 'TimeoutError');
    for (const counts of this.counts_()) provided.noteTimeout_(counts, name === 'getToken' ? 'auth' : 'refresh');
    // A call that the callback makes and awaits waits for the callback.
    const isSuspect = this.calls_().some((call) => !work.earlier_.has(call));
    const details = isSuspect ? `if ${name} awaits a call of this client, use the fetch that ${name} was given` : undefined;
    this.note_(work, { original_: reason, details_: details });
    work.abort_(reason);
  }

  /** The token that `getToken` returned; undefined: none. */
  private tokenOf_(value: unknown): string | undefined {
    const token = value === '' || value === null ? undefined : value;
    if (token !== undefined) this.check_('getToken', token);
    return token as string | undefined;
  }

  private asked_(work: CallbackRun, value: unknown, report: Report): void {
    const token = this.tokenOf_(value);
    const expires = token === undefined ? Infinity : this.expiry_(token);
    // A token that comes too late is dropped: the next call asks again.
    if (work.isAborted_) return report(AUTH_FAILED);
    // An engine that has just been made has sent nothing yet, and knows no refreshed token that would stay.
    const isKept = this.isNew_ && this.lastToken_ !== this.sent_;
    const isRepeated = token === this.lastToken_ && (!this.isNew_ || isKept);
    const isCurrent = token === this.sent_ && !this.isNew_;
    this.isNew_ = false;
    this.lastToken_ = this.candidate_ = token;
    return report(AUTH_TOKEN, token !== undefined, isRepeated, isCurrent, expires);
  }

  private async refresh_(ticket: number): Promise<void> {
    const { engine_: engine, lock_: lock } = this;
    if (lock && !(await lock.isOurs_())) return this.report_(engine, ticket, AUTH_LOST);
    // Meanwhile the time may have passed, or the engine died.
    if (lock !== this.lock_) return undefined;
    this.refreshFailure_ = undefined;
    for (const counts of this.counts_()) counts.refreshes++;
    return this.run_(ticket, 'refreshToken', this.refreshed_);
  }

  private refreshed_(work: CallbackRun, value: unknown, report: Report): void {
    if (value === null) {
      this.note_(work, {});
      return report(AUTH_FAILED, 1, 0);
    }
    if (value !== undefined) this.check_('refreshToken', value);
    this.emit_(work, true);
    if (value === undefined) return report(AUTH_RENEWED);
    this.candidate_ = value as string;
    // If the engine that asked for it is gone: it may be the only token that the server still takes.
    if (work.engine_ !== this.engine_ && work.sent_ === this.sent_) this.sent_ = value as string;
    return report(AUTH_REFRESHED, this.expiryOfNew_(value as string));
  }

  /** Whether a token can be sent. The platform would quote it. */
  private check_(name: string, token: unknown): void {
    if (typeof token !== 'string') throw new TypeError(`${name} gave ${typeof token}`);
    try {
      if (token && new Headers([['x', credential(this.first_, token)!]])) return;
    } catch {
      // Said below.
    }
    throw new TypeError(`${name} gave no token that a header can hold`);
  }

  /** When a token expires, on the clock that never jumps; Infinity if that is not known. */
  private expiry_(token: string): number {
    const at = Number(this.first_['auth.expiresAt']?.call(this.auth_, token) ?? NaN);
    return Number.isNaN(at) ? Infinity : Math.max(0, Math.floor(at - Date.now() + performance.now()));
  }

  /** A refreshed token is not lost to a callback that throws. */
  private expiryOfNew_(token: string): number {
    try {
      return this.expiry_(token);
    } catch (error) {
      provided.observe_(() => {
        throw error;
      });
      return Infinity;
    }
  }

  /** Tells, once for each observer, how a refresh went. */
  private emit_(work: CallbackRun, isOk: boolean): void {
    if (work.isTold_) return;
    work.isTold_ = true;
    const refreshMs = Math.ceil(performance.now() - work.began_);
    const observers = new Set();
    for (const call of this.calls_()) {
      const { onEvent } = call.config_;
      if (!onEvent || observers.has(onEvent)) continue;
      observers.add(onEvent);
      call.emit_('refresh', 'refresh', { ok: isOk, refreshMs });
    }
  }
}

export type { AuthSession };

// Members of foreign errors may throw.

/** Members of the errors of HTTP clients. */
type Failed = { readonly status?: unknown; readonly response?: { readonly status?: unknown } };

function isLost(error: unknown): boolean {
  try {
    return (error as { sessionLost?: unknown }).sessionLost === true;
  } catch {
    return false;
  }
}

function statusOf(error: unknown): number {
  try {
    const status: any = (error as Failed).status ?? (error as Failed).response!.status;
    return Number.isInteger(status) && status < 600 ? status : 0;
  } catch {
    return 0;
  }
}
