// What may be behind a network error. The platform does not say, but some requests are known to fail so.

import { nonSafelisted } from './headers.js';
import { isStreamed } from './upload.js';

/** Notes the hint of a request that failed before the headers. */
export function noteNetworkHint(call) {
  const { config_: config, init_: init, input_: input, url_: url } = call;
  if (config.fetch || call.hint_) return;
  if (isStreamed(init.body)) {
    call.hint_ = 'stream-upload-http2';
    return;
  }
  const { origin } = globalThis.location ?? {};
  if (!origin || new URL(url).origin === origin) return;
  const names = nonSafelisted(new Headers(init.headers ?? input.headers));
  call.hint_ = names.length ? 'non-safelisted-headers' : 'cross-origin';
  if (names.length) call.details_ = `headers that need a CORS preflight: ${names.join(', ')}`;
}
