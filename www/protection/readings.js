// What `api.metrics()` and `api.circuits()` say, in words.

import { duration } from '../format.js';

/** The state of the one circuit of this page; before its first call it is closed. */
export function stateOf(metrics) {
  return metrics.circuits[0]?.state ?? 'closed';
}

/** @param {object} options of the client @returns {{ value: string, note: string }} */
export function circuitReading({ circuits: [circuit] }, { circuitBreaker: { failureThreshold } }) {
  const { state = 'closed', failures = 0, retryAfterMs = 0 } = circuit ?? {};
  const notes = {
    closed: `${failures} of ${failureThreshold} failures in a row`,
    open: `asks again in ${duration(retryAfterMs)}`,
    'half-open': 'one call at a time is let through',
  };
  return { value: state, note: notes[state] };
}

export function queueReading({ waiting, queueMs }, { queue: { limit } }) {
  return { value: String(waiting), note: `of ${limit} places${queueMs.p95 === null ? '' : `; waits ${duration(queueMs.p95)} (p95)`}` };
}

export function flightReading({ inFlight }, { queue: { concurrency } }) {
  return { value: String(inFlight), note: `of ${concurrency} at a time` };
}

export function budgetReading({ retries, budgetRefusals }) {
  return { value: String(retries), note: `${budgetRefusals} refused by the budget` };
}

/** Of attempts: a call that is refused at once would make the server look fast. */
export function latencyReading({ attemptMs: { p50, p95, p99 } }) {
  const said = (ms) => (ms === null ? '–' : duration(ms));
  return { value: said(p50), note: `p95 ${said(p95)}, p99 ${said(p99)}` };
}

/** How many of the calls never became a request. */
export function sparedReading({ calls, attempts }) {
  return { value: String(attempts), note: `for ${calls} calls` };
}
