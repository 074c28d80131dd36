// The callbacks of the retry policy.

import { lent } from './lent.js';
import { ANSWER, DELAY, SHOULD_RETRY } from './protocol.js';

/** Asks a callback of the retry policy. */
export async function ask(call, next) {
  next();
  const question = next();
  const value = next();
  const config = call.config_;
  try {
    let answer;
    if (question === SHOULD_RETRY) {
      const error = lent.errorOf_(call, lent.readFailure_(next));
      answer = await config['retry.shouldRetry']({ error, retryCount: value });
      if (answer !== undefined) answer = answer ? 1 : 0;
    } else {
      answer = await config[question === DELAY ? 'retry.delay' : 'retry.jitter'](value);
      if (typeof answer !== 'number') throw new TypeError(`milliseconds, not ${typeof answer}`);
    }
    call.event_(ANSWER, answer);
  } catch (error) {
    lent.reportThrown_(call, error);
  }
}
