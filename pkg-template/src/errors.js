// Errors: their classes, and the platform's own errors that `api.fetch` rejects with.

import { ADVICE, CODES, ERROR_NAMES, HTTP_ERROR, INVALID_REQUEST, WHAT } from './generated.js';

/** Where an error carries what we know about it. Registered, so that two copies of the package know each other's. */
const INFO = Symbol.for('steadfetch.error');

function define(target, fields, enumerable) {
  for (const key of Reflect.ownKeys(fields)) {
    const value = fields[key];
    if (value !== undefined) Object.defineProperty(target, key, { value, enumerable, configurable: true, writable: true });
  }
}

export class SteadfetchError extends Error {
  /** Bundlers shorten the names of classes. */
  static name = 'SteadfetchError';

  /**
   * @param {number} code
   * @param {string} text to what it happened, with the details
   * @param {object} fields what may be logged
   * @param {object} [hidden] what may hold secrets: there for code that asks, but in no log
   * @param {string} [advice] in place of that of the code
   */
  constructor(code, text, fields, hidden, advice) {
    // The option repeats what timed out before its headers, and nothing else.
    advice ??= fields.phase === 'headers' ? ADVICE[code] : ADVICE[code].replace(', or see retry.retryOnTimeout', '');
    // Whatever the caller's strings were like.
    super(`${WHAT[code]}${text.slice(0, 500)}; ${advice}`);
    define(this, { code: CODES[code], ...fields }, true);
    define(this, { name: ERROR_NAMES[code] ?? 'SteadfetchError', [INFO]: this, ...hidden });
  }

  toJSON() {
    return { name: this.name, message: this.message, ...this };
  }
}

export class HTTPError extends SteadfetchError {
  static name = 'HTTPError';
}

export const makeError = (code, ...given) => new (code === HTTP_ERROR ? HTTPError : SteadfetchError)(code, ...given);

/** An own check that failed: thrown until it is known which call it belongs to. */
export class Refusal {
  constructor(code, details, hint, original) {
    this.code_ = code;
    this.details_ = details;
    this.hint_ = hint;
    this.original_ = original;
  }
}

/** Why a call failed, as long as nothing is known of it. */
export const UNKNOWN = Object.freeze({});

/** The error of a refusal that no call is behind. */
export const errorWithoutCall = ({ code_: code, details_: details, hint_: hint, original_: original }, phase) =>
  makeError(
    code,
    details ? ` (${details})` : '',
    { phase, outcome: 'not-sent', attempts: [], elapsedMs: 0, hint },
    foreign(original),
  );

/** What was thrown may throw when it is looked at. */
export function safely(get) {
  try {
    return get();
  } catch {
    return undefined;
  }
}

export const isRefusal = (error) => safely(() => error instanceof Refusal);

/** Of a foreign error only the name and a system code are shown: its message may quote a body or a URL. */
export function foreign(originalError, code) {
  let cause = originalError;
  if (cause !== undefined && !errorInfo(cause)) {
    cause = new Error();
    const name = cut(safely(() => originalError.name));
    // Our own frames would tell nothing.
    define(cause, { name, code, stack: name });
  }
  return { originalError, cause };
}

const rethrow = (error) => {
  throw error;
};

/**
 * Rejects a promise with an error of ours. In V8 its stack then names the async functions that wait for it. They are known only to a reaction
 * that comes after theirs was added: so that only a call that fails pays for it, the error takes the way through two reactions.
 */
export function rejectWith(resolve, reject, error) {
  if (!resolve || !Error.captureStackTrace || !errorInfo(error)) return reject(error);
  const showCallers = () => {
    safely(() => {
      const holder = {};
      Error.captureStackTrace(holder, showCallers);
      const { stack } = holder;
      const frames = stack.indexOf('\n');
      if (frames > 0) define(error, { stack: `${error.name}: ${error.message}${stack.slice(frames)}` });
    });
    // One that was rejected, or resolved, before does not take it.
    promise.catch(() => {});
    throw error;
  };
  const promise = Promise.reject(error).catch(rethrow).catch(showCallers);
  resolve(promise);
}

/** The name of a value's class. */
export const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** Of this class, of any realm or polyfill. */
export const is = (value, name) => typeof value === 'object' && tagOf(value) === name;

/** A Response or Request by its tag, or, as those of some polyfills and mocks, by its members. */
export const isResponse = (value) => is(value, 'Response') || Number.isInteger(value?.status);
export const isRequest = (value) => is(value, 'Request') || (typeof value?.url === 'string' && typeof value.method === 'string');

export const cut = (value) => (typeof value === 'string' ? value.slice(0, 60) : typeof value);

/** What is known of a failed call, from whatever it rejected with. */
export const errorInfo = (error) =>
  safely(() => {
    const info = error[INFO];
    return typeof info.code === 'string' ? info : undefined;
  });

/** The platform's own error in place of ours, with ours attached. */
export function platformError(error, isCallersAbort) {
  const { name, message, originalError: original } = error;
  if (isCallersAbort && name === 'AbortError') return error.cause;
  if (/^(Abort|Timeout)/.test(name)) return attach(new DOMException(message, name), error);
  // For what is no form the platform has another one.
  if (name === 'SyntaxError') return attach(new (safely(() => original instanceof TypeError) ? TypeError : SyntaxError)(message), error);
  const isNetwork = name === 'NetworkError';
  if (!isNetwork && error.code !== CODES[INVALID_REQUEST]) return error;
  // What the platform says of a request that it refuses may quote a header or the URL.
  return (isNetwork && safely(() => original.name === 'TypeError') && attach(original, error)) || attach(new TypeError(message), error);
}

function attach(target, error) {
  try {
    define(target, { [INFO]: error });
    return target;
  } catch {
    return undefined; // It is frozen.
  }
}

/** Cancelling and timing out have the platform's own names; those of the rest could be anybody's. */
const guard = (name, isPlatforms) => (error) => safely(() => (errorInfo(error) ?? (isPlatforms && error)).name === name) ?? false;

export const isSteadfetchError = (error) => !!errorInfo(error);
export const isHTTPError = guard('HTTPError');
export const isTimeoutError = guard('TimeoutError', true);
export const isAbortError = guard('AbortError', true);
export const isNetworkError = guard('NetworkError');
