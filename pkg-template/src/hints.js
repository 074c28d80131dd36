// What may be behind a network error. The platform does not say, but some requests are known to fail so.

import { nonSafelisted } from './headers.js';

/** Notes the hint of a request that failed before the headers. */
export function noteNetworkHint(call) {
  const init = call.init_;
  const why = call.why_;
  if (call.config_.fetch || why.hint_) return;
  if (call.stream_) {
    why.hint_ = 'stream-upload-http2';
    return;
  }
  const { origin } = globalThis.location ?? {};
  if (!origin || new URL(call.url_).origin === origin) return;
  const names = nonSafelisted(new Headers(init.headers ?? call.input_.headers));
  why.hint_ = names.length ? 'non-safelisted-headers' : 'cross-origin';
  if (names.length) why.details_ = `headers that need a CORS preflight: ${names.join(', ')}`;
}
