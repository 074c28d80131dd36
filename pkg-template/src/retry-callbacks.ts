// Runs the callbacks of the retry policy.

import type { CallState } from './call-state.js';
import type { RetryCallback } from './config.js';
import type { Get } from './shapes.js';

import { provided } from './provided.js';
import { ANSWER, ASK_FAILURE, ASK_QUESTION, ASK_VALUE, CALLBACK_FAILED, DELAY, SHOULD_RETRY } from './protocol.js';

function refuse(call: CallState, name: string, answer: unknown): void {
  const details = `${name} gave ${provided.shown_(answer)}, not milliseconds`;
  call.failureDetails_ = { details_: details, original_: new TypeError(details) };
  call.event_(CALLBACK_FAILED);
}

/** Asks a callback of the retry policy. */
export async function ask(call: CallState, get: Get): Promise<void> {
  const question = get(ASK_QUESTION);
  const value = get(ASK_VALUE);
  const config = call.config_;
  try {
    let answer: boolean | number | undefined;
    if (question === SHOULD_RETRY) {
      const error = provided.errorOf_(call, provided.readFailure_(get, ASK_FAILURE));
      answer = await config['retry.shouldRetry']!({ error, retryCount: value });
      if (answer !== undefined) answer = answer ? 1 : 0;
    } else {
      const name = question === DELAY ? 'retry.delay' : 'retry.jitter';
      answer = await (config[name] as RetryCallback)(value);
      if (!(Number.isFinite(answer) && (answer as number) >= 0)) return refuse(call, name, answer);
    }
    call.event_(ANSWER, answer as number | undefined);
  } catch (error) {
    provided.reportThrown_(call, error);
  }
}
