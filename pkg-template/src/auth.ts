// Applies `auth` to a call: adds the token to its request, and recognizes answers that refuse the token.

import type { Phase } from '../errors.js';
import type { AnsweredCall, CallState, ReadyCall } from './call-state.js';
import type { Config, Init } from './config.js';
import type { Engine, FailureDetails } from './shapes.js';

import { credential, originsOf, sessionOf } from './auth-session.js';
import { AUTH_REFRESH_FAILED, CALLBACK_ERROR, NETWORK_ERROR } from './generated.js';
import { provided } from './provided.js';

/** The one header that browsers take off a redirect to another origin (Fetch standard, HTTP-redirect fetch). */
const AUTHORIZATION = 'authorization';

const headerOf = ({ 'auth.header': header = AUTHORIZATION }: Config): string => header.toLowerCase();

/** Whether an address is one of those that may see the token. */
const isOurs = (config: Config, url: string): boolean => originsOf(config).includes(provided.originOf_(url));

/** The headers of what will be sent; undefined if they are none, which is for fetch to say. */
function headersOf({ headers }: Init, source: string | Request): Headers | undefined {
  try {
    return new Headers(headers ?? (source as Partial<Request>).headers);
  } catch {
    return undefined;
  }
}

/** Whether the token belongs there: not to another origin, nor where the caller has said who it is. */
const isFor = ({ config_: config, url_: url }: CallState, headers: Headers | undefined): boolean | undefined =>
  headers && !headers.has(AUTHORIZATION) && !headers.has(headerOf(config)) && isOurs(config, url);

/** The number of the `auth` that a call has a part in; 0: none. */
export function authOf(call: ReadyCall, engine: Engine): number {
  if (!isFor(call, headersOf(call.init_, call.input_))) return 0;
  const desk = sessionOf(call, engine);
  desk.open_(engine);
  return desk.number_;
}

/** Puts the token into what is sent: the last thing that happens to it. */
export function addToken(call: ReadyCall, init: Init, once: Request | undefined): Init {
  const { config_: config } = call;
  const source = once ?? call.input_;
  const headers = headersOf(init, source);
  // Hooks may have sent it elsewhere, or have said who it is.
  call.isAuthed_ = call.auth_ && isFor(call, headers);
  call.isRefused_ = call.isGuarded_ = false;
  call.answeredBy_ = undefined;
  if (!call.isAuthed_) return init;
  const value = credential(config, sessionOf(call).sent_);
  if (value === undefined) return init;
  const header = headerOf(config);
  headers!.set(header, value);
  const isGuarded = header !== AUTHORIZATION && !config['auth.allowRedirects'] && (init.redirect ?? (source as Partial<Request>).redirect) !== 'manual';
  call.isGuarded_ = isGuarded;
  return isGuarded ? { ...init, headers: headers!, redirect: 'error' } : { ...init, headers: headers! };
}

/**
 * Asks `shouldRefresh` about an answer.
 * @param given what the hooks made of it
 */
export async function askShouldRefresh(call: AnsweredCall, given: Response, { url }: Response): Promise<void> {
  const { config_: config } = call;
  const shouldRefresh = config['auth.shouldRefresh'];
  call.answeredBy_ = url;
  if (!shouldRefresh || !(given.status >= 400) || !isAnswerOfOurs(call)) return;
  const copy = given.clone();
  try {
    call.isRefused_ = await shouldRefresh.call(config.auth_, copy);
  } finally {
    provided.drop_(copy);
  }
}

/** Whether it comes from where the token was sent: a redirect may have led elsewhere. */
const isAnswerOfOurs = (call: AnsweredCall): unknown =>
  call.isAuthed_ && /network|shared/.test(call.via_) && isOurs(call.config_, (call.answeredBy_ ?? call.response_.url) || call.url_);

/** Whether a response refuses the token. */
export function isUnauthorized(call: AnsweredCall): unknown {
  const { status_: status } = call;
  return status >= 400 && isAnswerOfOurs(call) && (call.config_['auth.shouldRefresh'] ? call.isRefused_ : status === 401);
}

/** The error of a callback that ended a call. */
export function failureDetailsOf(call: CallState, code: number, phase: Phase | undefined): FailureDetails | undefined {
  const desk = sessionOf(call);
  if (code === AUTH_REFRESH_FAILED) return desk.refreshFailure_ ?? {};
  // To the platform a redirect that may not be followed is an outage.
  if (code === NETWORK_ERROR && call.isGuarded_) {
    const { details_: known } = call.failureDetails_;
    return { ...call.failureDetails_, details_: `${known ? `${known}; ` : ''}no redirect is followed without auth.allowRedirects` };
  }
  return code === CALLBACK_ERROR && /auth|refresh/.test(phase!) ? desk.askFailure_ ?? {} : undefined;
}
