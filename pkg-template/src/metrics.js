// What `api.metrics()` and `api.circuits()` show. A client and its views count in one object; durations are kept as the
// latest of them, so nothing grows.

import { parts } from './load.js';

/** How many durations of a kind are kept. */
const KEPT = 1_000;

const duration = () => ({ count: 0, kept_: [] });

/** The counts of a client that has made no call. */
export const newCounts = () => ({
  calls: 0,
  succeeded: 0,
  failed: {},
  attempts: 0,
  inFlight: 0,
  retries: 0,
  resent: 0,
  refreshes: 0,
  budgetRefusals: 0,
  enqueued: 0,
  dispatched: 0,
  waiting: 0,
  circuitsOpened: 0,
  timeouts: {},
  atTimeout: { inFlight: 0, waiting: 0 },
  cancelled: {},
  callMs: duration(),
  attemptMs: duration(),
  queueMs: duration(),
  queueShare: duration(),
});

/** One more of these. */
export function count(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}

export function note(duration, value) {
  duration.kept_[duration.count++ % KEPT] = value;
}

/** A limit has passed. */
export function noteTimeout(counts, phase) {
  count(counts.timeouts, phase);
  const { inFlight, waiting } = counts;
  counts.atTimeout = { inFlight, waiting };
}

/** The share below which so many of a hundred lie. */
const percentile = (sorted, share) => sorted[Math.ceil((sorted.length * share) / 100) - 1] ?? null;

/** A snapshot: plain data. */
export function metricsOf(config) {
  const shown = { ...config.counts_ };
  for (const name of Object.keys(shown)) {
    const { count, kept_: kept } = shown[name];
    if (!kept) {
      if (typeof shown[name] === 'object') shown[name] = { ...shown[name] };
      continue;
    }
    const sorted = [...kept].sort((one, other) => one - other);
    shown[name] = { count, p50: percentile(sorted, 50), p95: percentile(sorted, 95), p99: percentile(sorted, 99) };
  }
  return { ...shown, circuits: circuitsOf(config) };
}

/** How each circuit stands that was asked of late. */
export const circuitsOf = (config) => (config.shared_.circuitBreaker && parts ? parts.circuitsOf_(config) : []);
