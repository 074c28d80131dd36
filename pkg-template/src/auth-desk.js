// What is done for one `auth` object: its callbacks are called, its tokens kept, its lock taken. Whether and when is the
// business of the engine (core/src/refresh). It knows no strings, and says what to adopt.

import { TabLock, hasLocks } from './auth-lock.js';
import { Work } from './auth-work.js';
import { originOfHome } from './home.js';
import { lent } from './lent.js';
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

/** By the caller's objects, which are what clients have in common. */
const desks = new WeakMap();
/** The same by their numbers. An object that nobody has any more takes along what is known of it. */
const numbered = new Map();
/** Both are missing from older workerd, where an `auth` object is kept for as long as the isolate. */
const { FinalizationRegistry, WeakRef = class { constructor(kept) { this.deref = () => kept; } } } = globalThis;
const gone = FinalizationRegistry && new FinalizationRegistry((number) => {
  numbered.delete(number);
  for (const instance of lent.instances_) instance.ask_('drop_auth', number);
});

/** The options of the client that was given it, as its `fetch` has them: those of a view, or of a call, are no business of others. */
function givenTo({ view_: view, config_: { auth_: auth } }) {
  while (view.parent_?.config_.auth_ === auth) view = view.parent_;
  return view.fetchConfig_;
}

/** The desk of a call's `auth`. */
export function deskOf(call, host = call.host_) {
  const { auth_: auth } = call.config_;
  const known = desks.get(auth);
  let desk = known;
  // Where each request has an engine of its own, nothing that one request waits for is left to another.
  while (desk && host && desk.host_ !== host && lent.instances_.has(desk.host_)) desk = desk.other_;
  if (!desk) {
    desks.set(auth, (desk = new Desk(givenTo(call))));
    numbered.set(desk.number_, new WeakRef(desk));
    gone?.register(auth, desk.number_);
    if (known) {
      desk.other_ = known;
      desk.sent_ = known.sent_;
      desk.given_ = known.given_;
    }
  }
  return desk;
}

/** Performs what the engine says about an `auth` object. */
export function actOnAuth(number, get) {
  numbered.get(number)?.deref()?.perform_(get(AUTH_VERB), get(AUTH_TICKET));
}

/** An engine has died: its locks go to other tabs, and nobody waits for its callbacks. */
export function abandon(host) {
  for (const reference of numbered.values()) {
    const desk = reference.deref();
    if (desk?.host_ === host) desk.leave_();
  }
}

/** Where the token may go: a view with another base URL does not take it along. */
export const originsOf = (config) => config['auth.origins'] ?? [originOfHome(config.home_)];

/** As it is written in the header; undefined if there is none. */
export const credential = ({ 'auth.scheme': scheme = 'Bearer' }, token) =>
  token === undefined ? undefined : scheme ? `${scheme} ${token}` : token;

class Desk {
  /** @param config of the client that comes first: what it says of callbacks, limits and the lock holds for all of them */
  constructor(config) {
    this.auth_ = config.auth_;
    this.first_ = config;
    this.number_ = lent.nextShared_();
    /** By the tickets of the engine. */
    this.works_ = new Map();
    /** The token that is sent, what `getToken` gave last, and what the engine may adopt. */
    this.sent_ = this.given_ = this.candidate_ = undefined;
  }

  /** Makes itself known to an engine. It has the tokens of one that died, and knows nothing of their age. */
  open_(host) {
    if (this.host_ === host) return;
    this.host_ = host;
    this.isNew_ = true;
    const config = this.first_;
    host.ask_(
      'auth',
      this.number_,
      !!config['auth.getToken'],
      config['auth.lock'] === 'origin' && hasLocks(),
      config['auth.refreshTimeout'] ?? NaN,
      config['auth.refreshBefore'] ?? NaN,
    );
  }

  /** The engine has died. */
  leave_() {
    this.host_ = undefined;
    this.unlock_();
    for (const work of this.works_.values()) work.abort_(new DOMException('the engine has stopped', 'AbortError'));
    this.works_.clear();
  }

  perform_(verb, ticket) {
    if (verb === VERB_ADOPT) this.sent_ = this.candidate_;
    else if (verb === VERB_ABORT) this.abort_(ticket);
    else if (verb === VERB_UNLOCK) this.unlock_();
    else if (verb === VERB_ASK_TOKEN) this.run_(ticket, 'getToken', this.asked_);
    else if (verb === VERB_LOCK || verb === VERB_STEAL) this.take_(ticket, verb === VERB_STEAL);
    else this.refresh_(ticket);
  }

  /** The calls that are under way with it. */
  calls_() {
    return lent.openCalls_().filter(({ config_: config }) => config.auth_ === this.auth_);
  }

  /** What those who wait count, or who came first. */
  counts_() {
    const configs = this.calls_().map(({ config_: config }) => config);
    return new Set((configs.length ? configs : [this.first_]).map(({ counts_: counts }) => counts));
  }

  /** Whose `fetch` callbacks get. */
  config_() {
    const [call] = this.calls_();
    return call ? givenTo(call) : this.first_;
  }

  report_(host, ticket, kind, a, b, c, d) {
    host.run_('auth_event', this.number_, ticket, kind, a, b, c, d);
  }

  // The lock.

  take_(ticket, isSteal) {
    this.unlock_();
    this.refreshWhy_ = undefined;
    const { host_: host } = this;
    const report = (kind) => () => lock === this.lock_ && this.report_(host, ticket, kind);
    const name = this.first_['auth.lockName'] ?? `steadfetch:${originsOf(this.first_)[0]}`;
    const lock = (this.lock_ = new TabLock(name, isSteal, report(AUTH_LOCKED), report(AUTH_NO_LOCK)));
  }

  unlock_() {
    this.lock_?.release_();
    this.lock_ = undefined;
  }

  // The callbacks.

  run_(ticket, name, done) {
    const work = new Work(this, name);
    const { host_: host } = this;
    const report = (...told) => {
      this.works_.delete(ticket);
      this.report_(host, ticket, ...told);
    };
    const failed = (error) => {
      this.note_(work, { original_: error });
      report(AUTH_FAILED, isLost(error), statusOf(error));
    };
    this.works_.set(ticket, work);
    work.run_((value) => {
      try {
        done.call(this, work, value, report);
      } catch (error) {
        failed(error);
      }
    }, failed);
  }

  /** Keeps why it failed, for the errors of the calls that wait for it. */
  note_(work, why) {
    if (work.isAborted_) return;
    if (work.name_ === 'getToken') this.askWhy_ = why;
    else {
      this.refreshWhy_ = why;
      this.tell_(work, false);
    }
  }

  abort_(ticket) {
    const work = this.works_.get(ticket);
    if (!work) return;
    const { name_: name } = work;
    const reason = new DOMException('refreshTimeout has passed', 'TimeoutError');
    for (const counts of this.counts_()) lent.noteTimeout_(counts, name === 'getToken' ? 'auth' : 'refresh');
    // A call that the callback makes and awaits waits for the callback.
    const isSuspect = this.calls_().some((call) => !work.earlier_.has(call));
    const details = isSuspect ? `if ${name} awaits a call of this client, use the fetch that ${name} was given` : undefined;
    this.note_(work, { original_: reason, details_: details });
    work.abort_(reason);
  }

  /** What `getToken` gave; undefined: no token. */
  tokenOf_(value) {
    const token = value === '' || value === null ? undefined : value;
    if (token !== undefined) this.check_('getToken', token);
    return token;
  }

  asked_(work, value, report) {
    const token = this.tokenOf_(value);
    const expires = token === undefined ? Infinity : this.expiry_(token);
    // What comes too late is nobody's: the next call asks again.
    if (work.isAborted_) return report(AUTH_FAILED);
    // An engine that has just been made has sent nothing yet, and knows no refreshed token that would stay.
    const isKept = this.isNew_ && this.given_ !== this.sent_;
    const isRepeated = token === this.given_ && (!this.isNew_ || isKept);
    const isCurrent = token === this.sent_ && !this.isNew_;
    this.isNew_ = false;
    this.given_ = this.candidate_ = token;
    return report(AUTH_TOKEN, token !== undefined, isRepeated, isCurrent, expires);
  }

  async refresh_(ticket) {
    const { host_: host, lock_: lock } = this;
    if (lock && !(await lock.isOurs_())) return this.report_(host, ticket, AUTH_LOST);
    // Meanwhile the time may have passed, or the engine died.
    if (lock !== this.lock_) return undefined;
    this.refreshWhy_ = undefined;
    for (const counts of this.counts_()) counts.refreshes++;
    return this.run_(ticket, 'refreshToken', this.refreshed_);
  }

  refreshed_(work, value, report) {
    if (value === null) {
      this.note_(work, {});
      return report(AUTH_FAILED, 1, 0);
    }
    if (value !== undefined) this.check_('refreshToken', value);
    this.tell_(work, true);
    if (value === undefined) return report(AUTH_RENEWED);
    this.candidate_ = value;
    // If the engine that asked for it is gone: it may be the only token that the server still takes.
    if (work.host_ !== this.host_ && work.sent_ === this.sent_) this.sent_ = value;
    return report(AUTH_REFRESHED, this.expiryOfNew_(value));
  }

  /** Whether a token can be sent. The platform would quote it. */
  check_(name, token) {
    if (typeof token !== 'string') throw new TypeError(`${name} gave ${typeof token}`);
    try {
      if (token && new Headers([['x', credential(this.first_, token)]])) return;
    } catch {
      // Said below.
    }
    throw new TypeError(`${name} gave no token that a header can hold`);
  }

  /** When a token expires, on the clock that never jumps; Infinity if that is not known. */
  expiry_(token) {
    const at = Number(this.first_['auth.expiresAt']?.call(this.auth_, token) ?? NaN);
    return Number.isNaN(at) ? Infinity : Math.max(0, Math.floor(at - Date.now() + performance.now()));
  }

  /** A refreshed token is not lost to a callback that throws. */
  expiryOfNew_(token) {
    try {
      return this.expiry_(token);
    } catch (error) {
      lent.observe_(() => {
        throw error;
      });
      return Infinity;
    }
  }

  /** Tells, once for each observer, how a refresh went. */
  tell_(work, isOk) {
    if (work.isTold_) return;
    work.isTold_ = true;
    const refreshMs = Math.ceil(performance.now() - work.began_);
    const observers = new Set();
    for (const call of this.calls_()) {
      const { onEvent } = call.config_;
      if (!onEvent || observers.has(onEvent)) continue;
      observers.add(onEvent);
      call.tell_('refresh', 'refresh', { ok: isOk, refreshMs });
    }
  }
}

// What an error says may throw too.

function isLost(error) {
  try {
    return error.sessionLost === true;
  } catch {
    return false;
  }
}

function statusOf(error) {
  try {
    const status = error.status ?? error.response.status;
    return Number.isInteger(status) && status < 600 ? status : 0;
  } catch {
    return 0;
  }
}
