// Defines the classes of errors, and makes the platform's own errors that `api.fetch` rejects with.

import type {
  AbortedError,
  DeadlineExceededError,
  ErrorInfo,
  HTTPError as HTTPErrorFields,
  Hint,
  NetworkError,
  QueueTimeoutError,
  SteadfetchError as AnyError,
  TimeoutError,
} from '../errors.js';
import type { FailureFields, FailureDetails } from './shapes.js';

import { CODES, ERROR_NAMES, HTTP_ERROR, INVALID_REQUEST } from './generated.js';
import { texts } from './texts.js';

/** Where an error carries what we know about it. Registered, so that two copies of the package know each other's. */
const INFO = Symbol.for('steadfetch.error');

type Fields = Readonly<Record<PropertyKey, unknown>>;

function define(target: object, fields: Fields, enumerable?: boolean): void {
  for (const key of Reflect.ownKeys(fields)) {
    const value = fields[key];
    if (value !== undefined) Object.defineProperty(target, key, { value, enumerable: !!enumerable, configurable: true, writable: true });
  }
}

type Names = Readonly<Record<number, string>>;

export class SteadfetchError extends Error {
  /** Bundlers shorten the names of classes. */
  static override readonly name: string = 'SteadfetchError';

  /**
   * @param text to what it happened, with the details
   * @param fields what may be logged
   * @param hidden what may hold secrets: there for code that asks, but in no log
   * @param advice in place of that of the code
   */
  constructor(code: number, text: string, fields: FailureFields, hidden?: Fields, advice?: string) {
    const what = texts?.what_[code] ?? CODES[code]!.toLowerCase().replace(/_/g, ' ');
    advice ??= texts?.advice_(code, fields.phase);
    // The caller's strings may be long.
    super(what + text.slice(0, 500) + (advice ? `; ${advice}` : ''));
    define(this, { code: CODES[code], ...fields }, true);
    define(this, { name: (ERROR_NAMES as Names)[code] ?? 'SteadfetchError', [INFO]: this, ...hidden });
  }

  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) };
  }
}

export class HTTPError extends SteadfetchError {
  static override readonly name = 'HTTPError';
}

/** An error of ours, with the fields that its class gets when it is made. */
export type OwnError = SteadfetchError & ErrorInfo & AnyError;

export const makeError = (...given: ConstructorParameters<typeof SteadfetchError>): OwnError =>
  new (given[0] === HTTP_ERROR ? HTTPError : SteadfetchError)(...given) as OwnError;

/** An own check that failed: thrown until it is known which call it belongs to. */
export class Refusal implements FailureDetails {
  declare readonly code_: number;
  declare readonly details_: string | undefined;
  declare readonly hint_: Hint | undefined;
  declare readonly original_: unknown;

  constructor(code: number, details?: string, hint?: Hint, original?: unknown) {
    this.code_ = code;
    this.details_ = details;
    this.hint_ = hint;
    this.original_ = original;
  }
}

/** The details of a failure of which nothing is known yet. */
export const UNKNOWN: FailureDetails = Object.freeze({});

/** The error of a refusal that no call is behind. */
export const errorWithoutCall = ({ code_: code, details_: details, hint_: hint, original_: original }: Refusal, phase?: 'load'): OwnError =>
  makeError(
    code,
    details ? ` (${details})` : '',
    { phase, outcome: 'not-sent', attempts: [], elapsedMs: 0, hint },
    foreign(original),
  );

/** Undefined if it throws: foreign objects may throw when they are read. */
export function safely<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

export const isRefusal = (error: unknown): error is Refusal => !!safely(() => error instanceof Refusal);

/** Of a foreign error only the name and a system code are shown: its message may quote a body or a URL. */
export function foreign(originalError: unknown, code?: string): { originalError: unknown; cause: unknown } {
  let cause = originalError;
  if (cause !== undefined && !errorInfo(cause)) {
    const name = cut(safely(() => (originalError as Error).name));
    // Our own frames would tell nothing.
    define((cause = new Error()), { name, code, stack: name });
  }
  return { originalError, cause };
}

const rethrow = (error: unknown): never => {
  throw error;
};

/** Other engines have no `captureStackTrace`. */
type V8 = ErrorConstructor & { captureStackTrace(target: object, below: unknown): void };

/**
 * Rejects a promise with an error of ours. In V8 its stack then names the async functions that wait for it. They are known only to a reaction
 * that comes after theirs was added: so that only a call that fails pays for it, the error takes the way through two reactions.
 */
export function rejectWith(resolve: ((value: never) => void) | undefined, reject: (error: unknown) => void, error: unknown): void {
  if (!resolve || !(Error as V8).captureStackTrace || !errorInfo(error)) return reject(error);
  const showCallers = () => {
    safely(() => {
      const holder = { stack: '' };
      (Error as V8).captureStackTrace(holder, showCallers);
      const { stack } = holder;
      const frames = stack.indexOf('\n');
      if (frames > 0) define(error as object, { stack: `${(error as Error).name}: ${(error as Error).message}${stack.slice(frames)}` });
    });
    // One that was rejected, or resolved, before does not take it.
    promise.catch(() => {});
    throw error;
  };
  const promise = Promise.reject<never>(error).catch(rethrow).catch(showCallers);
  resolve(promise as never);
}

/** The name of a value's class. */
export const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Of this class, of any realm or polyfill. */
export const is = (value: unknown, name: string): boolean => typeof value === 'object' && tagOf(value) === name;

/** A Response or Request by its tag, or, as those of some polyfills and mocks, by its members. */
export const isResponse = (value: unknown): value is Response => is(value, 'Response') || Number.isInteger((value as Response | undefined)?.status);
export const isRequest = (value: any): value is Request =>
  is(value, 'Request') || (typeof value?.url === 'string' && typeof value.method === 'string');

export const cut = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 60) : typeof value);

/** Our error behind an error of a call. */
export const errorInfo = (error: unknown): OwnError | undefined =>
  safely(() => {
    const info = (error as { [INFO]: OwnError })[INFO];
    return typeof info.code === 'string' ? info : undefined;
  });

/** The platform's own error in place of ours, with ours attached. */
export function platformError(error: OwnError, isCallersAbort?: boolean): unknown {
  const { name, message, originalError: original } = error;
  if (isCallersAbort && name === 'AbortError') return error.cause;
  if (/^(Abort|Timeout)/.test(name)) return attach(new DOMException(message, name), error);
  // For what is no form the platform has another one.
  if (name === 'SyntaxError') return attach(new (safely(() => original instanceof TypeError) ? TypeError : SyntaxError)(message), error);
  const isNetwork = name === 'NetworkError';
  if (!isNetwork && error.code !== CODES[INVALID_REQUEST]) return error;
  // The platform's message about a request that it refuses may quote a header or the URL.
  return (isNetwork && safely(() => (original as Error).name === 'TypeError') && attach(original as object, error)) || attach(new TypeError(message), error);
}

function attach(target: object, error: unknown): object | undefined {
  try {
    define(target, { [INFO]: error });
    return target;
  } catch {
    return undefined; // It is frozen.
  }
}

/** Abort and timeout have the platform's own names; the names of the others may belong to foreign errors. */
const guardByName =
  <E>(name: string, isPlatforms?: boolean) =>
  (error: unknown): error is E =>
    safely(() => (errorInfo(error) ?? ((isPlatforms && error) as Error)).name === name) ?? false;

export const isSteadfetchError = (error: unknown): error is AnyError => !!errorInfo(error);
export const isHTTPError: <E = unknown>(error: unknown) => error is HTTPErrorFields<E> = guardByName<any>('HTTPError');
export const isTimeoutError: (error: unknown) => error is TimeoutError | DeadlineExceededError | QueueTimeoutError = guardByName('TimeoutError', true);
export const isAbortError: (error: unknown) => error is AbortedError = guardByName('AbortError', true);
export const isNetworkError: (error: unknown) => error is NetworkError = guardByName('NetworkError');
