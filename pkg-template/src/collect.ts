// Reads the start of the body of an error, for `error.data` and for readers of its response.

import type { AnsweredCall, CallState } from './call-state.js';

import { decode, gather, join, parse, typeOf } from './body.js';
import { safely } from './errors.js';
import { lateError } from './failure.js';
import { NETWORK_ERROR, RESPONSE_TOO_LARGE } from './generated.js';
import { known, stateOf } from './native-body.js';
import { cover } from './response.js';

/** A call that has another for its prototype. */
type Shadow = CallState & { readonly __proto__: CallState };

/** How much of the body of an error is read. */
const ERROR_BYTES = 65_536;

/**
 * Covers the response of an error, whose body is collected: it reads what was kept, if that was all.
 * @returns what takes the bytes
 */
function coverLater(call: AnsweredCall, response: Response): (bytes: Uint8Array<ArrayBuffer>) => void {
  let code: number = NETWORK_ERROR;
  const { status_: status, log_: log } = call;
  // The call goes on, perhaps with another attempt: nothing of that is seen or touched from here.
  const later: Shadow = {
    __proto__: call,
    response_: response,
    status_: status,
    controller_: undefined,
    data_: undefined,
    branches_: 1,
    log_: log && [...log],
    isDone_: true,
    hasFailed_: true,
    engine_: undefined,
    waiting_: undefined,
    failureDetails_: { details_: 'the body of the error broke off' },
    get failure_() {
      return lateError(later, code);
    },
  } as Shadow;
  cover(response, later);
  return (bytes) => {
    if (bytes.length > ERROR_BYTES) {
      code = RESPONSE_TOO_LARGE;
      later.failureDetails_ = {
        details_: `an error keeps the first ${ERROR_BYTES} bytes of its body`,
        advice_: 'read the whole of it with throwHttpErrors: false',
      };
      return;
    }
    const { headers, statusText } = response;
    // A body that was null stays so: it cannot be used up.
    const body = bytes.length ? bytes : null;
    const stand = safely(() => new Response(body, { status, statusText, headers })) ?? new Response(body);
    Object.assign(stateOf(response)!, { original_: Response.prototype, target_: stand, isProxy_: false, reader_: undefined, isUsed_: false });
    later.hasFailed_ = false;
    safely(() => Object.defineProperty(response, 'bodyUsed', { get: () => stand.bodyUsed, configurable: true }));
  };
}

/** The first piece of an error's body: JSON by its type, else text; undefined if there is none. */
export async function collect(call: AnsweredCall, response: Response): Promise<unknown> {
  const type = typeOf(response);
  // One more, to know whether that was all.
  const gathering = gather(call, known(response), ERROR_BYTES + 1);
  const keep = coverLater(call, response);
  const bytes = join(await gathering);
  keep(bytes);
  const text = decode(bytes.subarray(0, ERROR_BYTES), /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1]);
  try {
    if (/^[^;,]*[/+]json\s*([;,]|$)/i.test(type)) return parse(call, text);
  } catch {
    // The text is all there is.
  }
  return text || undefined;
}
