// Errors: their classes, their words, and the platform's own errors that `api.fetch` rejects with.

import {
  ABORTED,
  ADVICE,
  CODES,
  DEADLINE_EXCEEDED,
  ERROR_NAMES,
  HTTP_ERROR,
  INVALID_OPTION,
  INVALID_REQUEST,
  NETWORK_ERROR,
  OUTCOME_NOT_SENT,
  OUTCOMES,
  PARSE_ERROR,
  QUEUE_TIMEOUT,
  TIMEOUT,
  WHAT,
} from './generated.js';

/** Where an error carries what we know about it. Registered, so that two copies of the package know each other's. */
const INFO = Symbol.for('steadfetch.error');

function hide(target, key, value) {
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
}

export class SteadfetchError extends Error {
  /**
   * @param {number} code
   * @param {string} text to what it happened, with the details
   * @param {object} fields what may be logged
   * @param {object} [hidden] what may hold secrets: there for code that asks, but in no log
   */
  constructor(code, text, fields, hidden) {
    super(`${WHAT[code]}${text}; ${ADVICE[code]}`);
    hide(this, 'name', ERROR_NAMES[code]);
    this.code = CODES[code];
    for (const key in fields) if (fields[key] !== undefined) this[key] = fields[key];
    for (const key in hidden) if (hidden[key] !== undefined || key === 'cause') hide(this, key, hidden[key]);
    hide(this, INFO, this);
  }

  toJSON() {
    return { name: this.name, message: this.message, ...this };
  }
}

export class HTTPError extends SteadfetchError {}

export function makeError(code, text, fields, hidden) {
  return new (code === HTTP_ERROR ? HTTPError : SteadfetchError)(code, text, fields, hidden);
}

/** An own check that failed: thrown until it is known which call it belongs to. */
export class Refusal {
  constructor(code, details, hint, original) {
    this.code_ = code;
    this.details_ = details;
    this.hint_ = hint;
    this.original_ = original;
  }
}

/** What `createClient` and `extend` throw. */
export function optionError(refusal) {
  const fields = { outcome: OUTCOMES[OUTCOME_NOT_SENT], attempts: [], elapsedMs: 0 };
  return makeError(INVALID_OPTION, ` (${refusal.details_})`, fields, foreign(refusal.original_));
}

/** Of a foreign error only the name is shown: its message may quote a body or a URL. */
export function foreign(error) {
  if (error === undefined) return undefined;
  let cause = error;
  if (!errorInfo(error)) {
    cause = new Error();
    hide(cause, 'name', cut(error?.name));
  }
  return { originalError: error, cause };
}

/** Of this class, of any realm or polyfill. */
export const is = (value, name) => Object.prototype.toString.call(value) === `[object ${name}]`;

export const cut = (value, length = 60) => {
  const text = typeof value === 'string' ? value : typeof value;
  return text.length > length ? `${text.slice(0, length)}...` : text;
};

/** What is known of a failed call, from whatever it rejected with. */
export function errorInfo(error) {
  try {
    return error?.[INFO];
  } catch {
    return undefined;
  }
}

/** The platform's own error in place of ours, with ours attached. */
export function platformError(error, isCallersAbort) {
  const { message, originalError } = error;
  switch (CODES.indexOf(error.code)) {
    case ABORTED:
      return isCallersAbort ? error.cause : attach(new DOMException(message, 'AbortError'), error);
    case TIMEOUT:
    case DEADLINE_EXCEEDED:
    case QUEUE_TIMEOUT:
      return attach(new DOMException(message, 'TimeoutError'), error);
    case NETWORK_ERROR:
    case INVALID_REQUEST:
      return (originalError instanceof TypeError && attach(originalError, error)) || attach(new TypeError(message), error);
    case PARSE_ERROR:
      return attach(new SyntaxError(message), error);
    default:
      return error;
  }
}

function attach(target, error) {
  try {
    hide(target, INFO, error);
    return target;
  } catch {
    return undefined; // frozen
  }
}

const guard =
  (...codes) =>
  (error) => {
    const code = errorInfo(error)?.code;
    return codes.some((one) => CODES[one] === code);
  };

export const isSteadfetchError = (error) => errorInfo(error) !== undefined;
export const isHTTPError = guard(HTTP_ERROR);
export const isTimeoutError = guard(TIMEOUT, DEADLINE_EXCEEDED, QUEUE_TIMEOUT);
export const isAbortError = guard(ABORTED);
export const isNetworkError = guard(NETWORK_ERROR);
