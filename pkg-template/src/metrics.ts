// Counts what `api.metrics()` and `api.circuits()` show. A client and its views count in one object; the latest durations are kept, so nothing
// grows.

import type { Phase } from '../errors.js';
import type { Circuit, Durations, Metrics } from '../protection.js';
import type { Config, Counts, Duration } from './config.js';

import { parts } from './optional.js';

/** How many durations of a kind are kept. */
const KEPT = 1_000;

const duration = (): Duration => ({ count: 0, kept_: [] });

/** The counts of a client that has made no call. */
export const newCounts = (): Counts => ({
  calls: 0,
  succeeded: 0,
  failed: {},
  attempts: 0,
  shared: 0,
  inFlight: 0,
  retries: 0,
  resent: 0,
  refreshes: 0,
  lookups: 0,
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
export function count<Name extends string>(counts: Partial<Record<Name, number>>, name: Name): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

export function note(duration: Duration, value: number): void {
  duration.kept_[duration.count++ % KEPT] = value;
}

/** A limit has passed. */
export function noteTimeout(counts: Counts, phase: Phase): void {
  count(counts.timeouts, phase);
  const { inFlight, waiting } = counts;
  counts.atTimeout = { inFlight, waiting };
}

/** The share below which so many of a hundred lie. */
const percentile = (sorted: readonly number[], share: number): number | null => sorted[Math.ceil((sorted.length * share) / 100) - 1] ?? null;

/** The counts, with the shares of durations in place of these. */
type Snapshot = { [Name in keyof Counts]: Counts[Name] extends Duration ? Durations : Counts[Name] };

/** A snapshot: plain data. */
export function metricsOf(config: Config): Metrics {
  const shown: Record<string, unknown> = { ...config.counts_ };
  for (const name of Object.keys(shown)) {
    const { count, kept_: kept } = shown[name] as Partial<Duration>;
    if (!kept) {
      if (typeof shown[name] === 'object') shown[name] = { ...(shown[name] as object) };
      continue;
    }
    const sorted = [...kept].sort((one, other) => one - other);
    shown[name] = { count, p50: percentile(sorted, 50), p95: percentile(sorted, 95), p99: percentile(sorted, 99) };
  }
  return { ...(shown as Snapshot), circuits: circuitsOf(config) };
}

/** How each circuit stands that was asked of late. */
export const circuitsOf = (config: Config): Circuit[] => (config.shared_.circuitBreaker && parts ? parts.circuitsOf_(config) : []);
