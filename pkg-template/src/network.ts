// Reads the network errors of Node, Deno and Bun: the system code, and whether there was a connection.

import type { SentCall } from './call-state.js';

import { safely } from './errors.js';
import { UNSENT_CODES } from './generated.js';

const REDIRECTS = [301, 302, 303, 307, 308];
/** Undici's reasons to refuse a request, as far as they show none of its values. */
const REFUSALS = /^(invalid [\w-]+ header|expect header not supported|bad port|unknown scheme|about scheme is not supported)$/;

/** When undici last met a redirect, whoever followed it. Nothing is certain as long as nothing watches. */
let redirectedAt = Infinity;

/** A message of undici's channel about a response. */
type Message = { response?: { statusCode?: number } } | undefined;

export function watchRedirects(subscribe: (channel: string, listener: (message: unknown) => void) => void): void {
  redirectedAt = -Infinity;
  subscribe('undici:request:headers', (message) => {
    if (REDIRECTS.includes((message as Message)?.response?.statusCode ?? 0)) redirectedAt = performance.now();
  });
}

/** An error of Node, Deno and Bun. Other code may have thrown something else. */
interface SystemError {
  readonly message: string;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly cause?: SystemError;
  readonly errors?: readonly SystemError[];
}

/** Node's fetch hides what happened behind a TypeError, that of Bun is the error itself. */
const causeOf = (error: SystemError): SystemError => error.cause ?? error;

/** Of several addresses that were tried, that of the first one. */
const codeOf = ({ code, errors }: SystemError): unknown => code ?? errors?.[0]?.code;

export function systemCode(error: unknown): string | undefined {
  const code = safely(() => codeOf(causeOf(error as SystemError)));
  return typeof code === 'string' && (/^[A-Z][A-Z0-9_]{2,59}$/.test(code) || UNSENT_CODES.includes(code)) ? code : undefined;
}

/** Whether it is certain that an error of the request that a call has sent is about that very request, not one it led to. */
const isOfFirst = ({ sent_: sent, input_: input, sentAt_: sentAt }: SentCall, error: SystemError): boolean =>
  !/^(undefined|follow)$/.test(`${sent.redirect ?? (input as Partial<Request>).redirect}`) || (!!error.cause && redirectedAt < sentAt);

const isBeforeConnection = ({ code, syscall }: SystemError): boolean => syscall === 'connect' || UNSENT_CODES.includes(code as string);

export const isUnsent = (call: SentCall, error: unknown): boolean =>
  !!safely(() => {
    if (call.config_.fetch) return false;
    const cause = causeOf(error as SystemError);
    // Deno writes it into the message, with the URL.
    const [, url] = /for url \((\S+)\): client error \(Connect\)/.exec(cause.message) ?? [];
    if (url) return url === new URL(call.url_.replace(/#.*/, '')).href;
    return (cause.errors ?? [cause]).every(isBeforeConnection) && isOfFirst(call, error as SystemError);
  });

export function refusalOf(call: SentCall, thrown: unknown): string | undefined {
  const error = thrown as SystemError;
  // Bun's own words.
  if (/^protocol must be http/.test(error.message) && !/^(https?|s3):/.test(call.url_)) return 'unknown scheme';
  // Deno's own words.
  const blocked = /Requests to (port \d+) are blocked/.exec(error.message);
  if (blocked) return `${blocked[1]} is blocked`;
  const [, scheme] = /^Url scheme '([\w+.-]+)' not supported/.exec(error.message) ?? [];
  // Not that of a redirect.
  if (scheme && call.url_.startsWith(`${scheme}:`)) return 'unknown scheme';
  const { message } = causeOf(error);
  return REFUSALS.test(message) && isOfFirst(call, error) ? message : undefined;
}
