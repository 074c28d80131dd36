// Guesses what may be behind a network error. The platform does not say, but some requests are known to fail so.

import type { AnsweredCall, SentCall } from './call-state.js';

import { RETRY_AFTER_STATUSES } from './generated.js';
import { headerOf } from './response-head.js';
import { runtime } from './runtime.js';

/** Notes the hint of a request that failed before the headers. */
export function noteNetworkHint(call: SentCall): void {
  try {
    note(call);
  } catch {
    // Headers that can be read once only, or URLs that only a fake fetch knows: there is nothing to say.
  }
}

/** Whether CORS may hide a Retry-After: it shows this header only where the server exposes it. */
export const isRetryAfterHidden = ({ config_: config, response_: response, status_: status }: AnsweredCall): boolean =>
  response.type === 'cors' &&
  (config['retry.afterStatusCodes'] ?? RETRY_AFTER_STATUSES).includes(status ?? 0) &&
  headerOf(response, 'retry-after') === undefined;

function note(call: SentCall): void {
  if (call.config_.fetch || call.failureDetails_.hint_) return;
  const why = (call.failureDetails_ = { ...call.failureDetails_ });
  if (call.sent_.integrity) why.details_ = 'or a body that does not match `integrity`';
  const page = globalThis.location?.origin;
  if (call.stream_ && !runtime.isServer_) {
    why.hint_ = 'stream-upload-http2';
  } else if (page && !['null', page].includes(new URL(call.url_).origin)) {
    const headers = new Headers(call.sent_.headers ?? (call.input_ as Partial<Request>).headers);
    // A header that a request without CORS may not carry needs a preflight.
    const kept = new Request(call.url_, { mode: 'no-cors', headers }).headers;
    // A token is what the preflight was made for; more likely the answer has no CORS headers.
    const names = [...headers.keys()].filter((name) => !kept.has(name) && !(call.isAuthed_ && name === 'authorization'));
    why.hint_ = names.length ? 'non-safelisted-headers' : 'cross-origin';
    if (names.length) why.details_ = `headers that need a CORS preflight: ${names.join(', ')}`;
  }
}
