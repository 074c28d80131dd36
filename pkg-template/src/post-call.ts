// Guards what goes on after a call has ended, by its deadline, its signals and its client.

import type { CallState } from './call-state.js';

import { LONGEST } from './clock.js';
import { safely } from './errors.js';
import { ABORTED, DEADLINE_EXCEEDED } from './generated.js';
import { postCalls } from './live.js';
import { totalTimeout } from './options.js';
import { abortedOf, listen, reasonOf, unlisten } from './signals.js';

/**
 * @param call that has ended
 * @param least milliseconds that there are in any case
 * @returns what ends the waiting
 */
export function afterCall(call: CallState, least: number, fail: (code: number, limit?: number) => void): () => void {
  const left = Math.max(least, call.timeLeft_());
  const signals = call.signals_();
  const rest = {
    view_: call.view_,
    config_: {},
    isOut_: false,
    cancel_(reason: unknown) {
      call.cause_ = reason;
      end(ABORTED);
    },
    handleEvent(event: Event | undefined) {
      this.cancel_(reasonOf(event?.target));
    },
  };
  const stop = () => {
    clearTimeout(timer);
    postCalls.delete(rest);
    unlisten(signals, rest);
  };
  const end = (code: number, limit?: number) => {
    stop();
    fail(code, limit);
  };
  const timer = left < LONGEST ? setTimeout(end, left, DEADLINE_EXCEEDED, totalTimeout(call.config_)) : undefined;
  postCalls.add(rest);
  const aborted = abortedOf(signals);
  if (aborted) rest.cancel_(reasonOf(aborted));
  // One that took a listener before, and takes none now, is heard no more.
  else safely(() => listen(signals, rest));
  return stop;
}
