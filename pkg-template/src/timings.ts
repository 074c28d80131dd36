// Adds what Resource Timing knows of an attempt to its attempt-end (`timings`). The platform's entry comes when a body has ended, in a task of
// its own. Until then attempt-end and the later events of its call wait, in their order; the call never does.

import type { AttemptTimings, SteadfetchEvent } from '../events.js';
import type { CallState } from './call-state.js';

import { provided } from './provided.js';

/** How long after the end of an attempt its entry may still come, in milliseconds. */
const GRACE = 100;

/** An attempt whose entry may still come. */
interface Timed {
  readonly call_: TimedCall;
  readonly url_: string;
  readonly from_: number;
  /** Its attempt-end waits. */
  isTold_?: boolean;
  timer_?: ReturnType<typeof setTimeout>;
  timings_?: AttemptTimings | undefined;
}

/** A call whose events wait, each with the attempt that it waits for. */
type TimedCall = CallState & { line_?: [event: SteadfetchEvent, attempt?: Timed][]; timed_?: Timed | undefined };

/** The attempts whose entry has not come. */
const awaited = new Set<Timed>();
/** There while an attempt is awaited. Unlike the page's buffer of entries it is never full. */
let observer: PerformanceObserver | undefined;

const withoutHash = (url: string): string => url.split('#')[0]!;

/** Tells an event, after those of its call that still wait. */
export function emitTimed(call: TimedCall, event: SteadfetchEvent): void {
  const { type } = event;
  const line = (call.line_ ??= []);
  const attempt = call.timed_;
  if (type === 'attempt-end') {
    if (attempt) attempt.isTold_ = true;
    line.push(attempt ? [event, attempt] : [event]);
  } else {
    line.push([event]);
    // A circuit hears of the headers: the body may still come.
    if (type !== 'circuit-change') expire(attempt);
    if (type === 'attempt-start') call.timed_ = watch(call);
  }
  release(call);
}

function watch(call: TimedCall): Timed | undefined {
  const { PerformanceObserver: Observer } = globalThis as { PerformanceObserver?: typeof PerformanceObserver };
  if (!Observer?.supportedEntryTypes?.includes('resource')) return undefined;
  if (!observer) {
    observer = new Observer(take);
    observer.observe({ type: 'resource' });
  }
  const attempt: Timed = { call_: call, url_: withoutHash(new URL(call.url_).href), from_: performance.now() };
  awaited.add(attempt);
  return attempt;
}

/** Of several attempts at a URL an entry is that of the last one that was sent before it. */
function take(list: PerformanceObserverEntryList): void {
  for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
    if (entry.initiatorType !== 'fetch') continue;
    const url = withoutHash(entry.name);
    let found: Timed | undefined;
    for (const attempt of awaited) {
      if (attempt.url_ === url && attempt.from_ <= entry.startTime && !(attempt.from_ <= (found?.from_ ?? NaN))) found = attempt;
    }
    if (found) settle(found, timingsOf(entry));
  }
}

/** The attempt is over: its entry comes soon, or there is none. */
function expire(attempt: Timed | undefined): void {
  if (!attempt || !awaited.has(attempt)) return;
  if (attempt.isTold_) attempt.timer_ ??= setTimeout(settle, GRACE, attempt);
  else settle(attempt);
}

function settle(attempt: Timed, timings?: AttemptTimings): void {
  clearTimeout(attempt.timer_);
  attempt.timings_ = timings;
  awaited.delete(attempt);
  if (!awaited.size) {
    observer!.disconnect();
    observer = undefined;
  }
  release(attempt.call_);
}

/** Tells what waits for nothing any more. */
function release({ line_: line = [], config_: config }: TimedCall): void {
  for (let first = line[0]; first && !(first[1] && awaited.has(first[1])); first = line[0]) {
    line.shift();
    const [event, attempt] = first;
    provided.observe_(config.onEvent!, attempt?.timings_ ? { ...event, timings: attempt.timings_ } as SteadfetchEvent : event);
  }
}

/** Together they are the time from the start of the fetch to the end of the body. 0 in an entry: the platform does not say. */
function timingsOf({
  fetchStart,
  domainLookupStart,
  domainLookupEnd,
  connectStart,
  secureConnectionStart,
  connectEnd,
  requestStart,
  responseStart,
  responseEnd,
}: PerformanceResourceTiming): AttemptTimings | undefined {
  if (!requestStart) return undefined;
  const dns = domainLookupEnd - domainLookupStart;
  const tls = secureConnectionStart && connectEnd - secureConnectionStart;
  const connect = connectEnd - connectStart - tls;
  return {
    // All that came before the request, and was neither of these.
    stalled: rounded(requestStart - fetchStart - dns - connect - tls),
    dns: rounded(dns),
    connect: rounded(connect),
    tls: rounded(tls),
    request: responseStart ? rounded(responseStart - requestStart) : undefined,
    response: responseStart && responseEnd ? rounded(responseEnd - responseStart) : undefined,
  };
}

/** The platform's own steps are coarser. */
const rounded = (span: number): number => Math.max(0, Math.round(span * 10) / 10);
