// Asks the server what became of a write whose attempt was lost: the option `outcomeLookup`.

import type { Config, View } from './config.js';
import type { StartedCall } from './call-state.js';

import { provided } from './provided.js';
import { CALLBACK_FAILED, LOOKED_UP } from './protocol.js';

/** Their places are the numbers of `LookedUp`; a write that is done is none of these, but has an answer. */
const FINDINGS = ['done', 'pending', 'not-found', 'failed'];
const PENDING = 1;
/** The codes of lookups that would fail the next time too. */
const FAULTY = /^(INVALID|CALLBACK|UNSUPPORTED)/;

/** Makes one lookup. The engine decides when, and how often. */
export async function lookUp(call: StartedCall): Promise<void> {
  const { controller_: earlier } = call;
  const controller = (call.controller_ = new AbortController());
  const own = new AbortController();
  controller.signal.addEventListener('abort', () => {
    own.abort();
    // An answer that may be the one after all.
    earlier?.abort();
  });
  call.config_.counts_.lookups++;
  let response: Response | undefined;
  let finding: number;
  try {
    response = await provided.fetchBy_(viewFor(call), urlFor(call), { signal: own.signal, retry: false });
    finding = await findingIn(call.config_, response);
  } catch (error) {
    const code = provided.errorInfo_(error)?.code;
    finding = code && !FAULTY.test(code) ? PENDING : -1;
    if (finding < 0 && controller === call.controller_) call.failureDetails_ = { original_: error };
  }
  const isCurrent = controller === call.controller_;
  // Its call goes on until its body has ended.
  if (finding || !isCurrent) own.abort();
  if (!isCurrent) return;
  if (finding < 0) return call.event_(CALLBACK_FAILED);
  if (finding) return call.event_(LOOKED_UP, finding);
  provided.drop_(call.response_);
  try {
    provided.supply_(call, response!, 'lookup');
  } catch (error) {
    provided.reportThrown_(call, error);
  }
}

function urlFor({ config_: config, isKeyed_: key }: StartedCall): string {
  const url: unknown = config['outcomeLookup.url']!(key as string);
  if (typeof url !== 'string') throw new TypeError(`outcomeLookup.url returned ${provided.shown_(url)}, not a string`);
  return url;
}

/** The client as a lookup sees it: the limits of the write's own call are those that hold for the answer's body. Its calls are counted as lookups. */
function viewFor({ view_: { config_: config }, config_: { operation } }: StartedCall): View {
  const own: Config = { ...config, operation, timeoutGiven_: 0, totalGiven_: 0, counts_: provided.newCounts_() };
  return { config_: own, fetchConfig_: own, deadline_: Infinity };
}

async function findingIn(config: Config, response: Response): Promise<number> {
  const interpret = config['outcomeLookup.interpret'];
  if (!interpret) {
    const { status, ok } = response;
    return status === 404 ? 2 : ok && status !== 202 ? 0 : PENDING;
  }
  // It may read the body, which the caller of the write reads too.
  const copy = response.clone();
  const finding: unknown = await interpret(copy);
  if (!copy.bodyUsed) copy.body?.cancel().catch(() => {});
  const place = FINDINGS.indexOf(finding as string);
  if (place < 0) throw new TypeError(`outcomeLookup.interpret returned ${provided.shown_(finding)}, not ${FINDINGS}`);
  return place;
}
