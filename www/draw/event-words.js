// An event in a sentence: the timeline for those who do not see it, or want to read it.

import { duration, plural } from '../format.js';

/** @param {object} event as `onEvent` is told it */
export function eventWords(event) {
  switch (event.type) {
    case 'call-start': return `The call begins: ${event.method} ${event.url}`;
    case 'queued': return 'It waits for a slot';
    case 'circuit-change': return `The circuit of ${event.circuit} is ${event.state} from now on`;
    case 'attempt-start': return `Attempt ${event.attempt} is sent`;
    case 'attempt-end': return attemptEnd(event);
    case 'retry': return `Retry ${event.retryCount} follows in ${duration(event.waitMs)}, after ${event.code}`;
    case 'call-end': return callEnd(event);
    default: return event.type;
  }
}

function attemptEnd({ attempt, code, status, phase, outcome }) {
  if (code === undefined) return `Attempt ${attempt} is complete: status ${status ?? 'unknown'}`;
  const parts = [status !== undefined && `status ${status}`, phase && `in phase ${phase}`, `outcome ${outcome}`];
  return `Attempt ${attempt} fails: ${code}, ${parts.filter(Boolean).join(', ')}`;
}

function callEnd({ ok, code, status, attempts, outcome, retryStopped }) {
  if (ok) return `The call succeeds${status === undefined ? '' : ` with status ${status}`} after ${plural(attempts, 'attempt')}`;
  const parts = [`after ${plural(attempts, 'attempt')}`, outcome && `outcome ${outcome}`, retryStopped && `no retry because of ${retryStopped}`];
  return `The call fails: ${code}, ${parts.filter(Boolean).join(', ')}`;
}
