// Recognizes requests that the platform refuses. It reports an outage and a mistake by the same TypeError: only the request tells them apart.

import type { SentCall } from './call-state.js';
import type { Init } from './config.js';

import { safely } from './errors.js';
import { wrongHeader } from './headers.js';
import { runtime } from './runtime.js';

/** The ports that browsers block (Fetch standard, section 2.9). */
const BLOCKED =
  /^(0|1|7|9|11|13|15|17|19|2[0-35]|37|42|43|53|69|77|79|87|95|10[1-4]|109|11[01357]|119|123|13[579]|143|161|179|389|427|465|51[2-5]|526|53[0-2]|540|548|554|556|563|587|601|636|989|99[035]|1719|172[03]|2049|3659|4045|4190|506[01]|6000|6566|666[5-9]|6679|6697|10080)$/;

const SCHEMES = /^(https?|data|blob|file|[\w-]+-extension):$/;

/** The reason for which a browser refuses a request before it sends anything. */
function standardRefusal({ init_: init, input_ }: SentCall, { url }: Request): string | undefined {
  const input = input_ as Partial<Request>;
  const { origin, port, protocol } = new URL(url);
  if (!SCHEMES.test(protocol) && protocol !== location.protocol) return `fetch knows no scheme ${protocol.slice(0, 20)}`;
  if (BLOCKED.test(port)) return `browsers block port ${port}`;
  if ((init.cache ?? input.cache) === 'only-if-cached') return 'cache is only-if-cached, and nothing is cached';
  if ((init.mode ?? input.mode) === 'same-origin' && origin !== location.origin) return 'mode is same-origin, and the URL is of another origin';
  return undefined;
}

/** Whether a request that was rejected was never sent. */
export function isRefused(call: SentCall, error: unknown): boolean {
  const init: Init = { method: call.method_, ...call.init_, signal: null };
  if (call.stream_) delete init.body;
  let details;
  try {
    // Its value is used: bundlers drop a `new` whose value is not.
    const request = new Request(call.url_, init);
    details = safely(() => (runtime.isServer_ ? runtime.refusal_?.(call, error) : standardRefusal(call, request)));
  } catch (refusal) {
    // Else the stack was at its end.
    if (safely(() => (refusal as Error).name) !== 'TypeError') return false;
    call.failureDetails_ = { original_: refusal, details_: wrongHeader([init.headers ?? {}]) };
    return true;
  }
  if (details) call.failureDetails_ = { original_: error, details_: details };
  return !!details;
}
