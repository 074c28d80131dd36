// What goes on after a call has ended: under its deadline, its signals and its client still.

import { ABORTED, DEADLINE_EXCEEDED } from './generated.js';
import { LONGEST } from './instance.js';
import { lingering } from './load.js';
import { totalTimeout } from './options.js';

/**
 * @param {import('./call.js').Call} call that has ended
 * @param {number} least milliseconds that there are in any case
 * @param {(code: number, limit?: number) => void} fail
 * @returns {() => void} what ends the waiting
 */
export function lingerFor(call, least, fail) {
  const left = Math.max(least, call.timeLeft_());
  const signals = call.signals_();
  const rest = {
    view_: call.view_,
    config_: {},
    isOut_: false,
    cancel_(reason) {
      call.cause_ = reason;
      end(ABORTED);
    },
    handleEvent({ target }) {
      this.cancel_(target.reason);
    },
  };
  const stop = () => {
    clearTimeout(timer);
    lingering.delete(rest);
    for (const signal of signals) signal.removeEventListener('abort', rest);
  };
  const end = (code, limit) => {
    stop();
    fail(code, limit);
  };
  const timer = left < LONGEST ? setTimeout(end, left, DEADLINE_EXCEEDED, totalTimeout(call.config_)) : undefined;
  lingering.add(rest);
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) rest.cancel_(aborted.reason);
  else for (const signal of signals) signal.addEventListener('abort', rest);
  return stop;
}
