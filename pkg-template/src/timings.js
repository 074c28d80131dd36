// `timings`: what Resource Timing knows of an attempt, told with its attempt-end. The platform speaks when a body has ended,
// in a task of its own. Until then attempt-end and the later events of its call wait, in their order; the call never does.

import { lent } from './lent.js';

/** How long after the end of an attempt its entry may still come, in milliseconds. */
const GRACE = 100;

/** The attempts whose entry has not come. */
const awaited = new Set();
/** There while an attempt is awaited. Unlike the page's buffer of entries it is never full. */
let observer;

const withoutHash = (url) => url.split('#')[0];

/** Tells an event, after those of its call that still wait. */
export function tellTimed(call, event) {
  const { type } = event;
  const line = (call.line_ ??= []);
  let attempt = call.timed_;
  if (type === 'attempt-end') {
    if (attempt) attempt.isTold_ = true;
    line.push([event, attempt]);
  } else {
    line.push([event]);
    // A circuit hears of the headers: the body may still come.
    if (type !== 'circuit-change') expire(attempt);
    if (type === 'attempt-start') attempt = call.timed_ = watch(call);
  }
  release(call);
}

function watch(call) {
  const Observer = globalThis.PerformanceObserver;
  if (!Observer?.supportedEntryTypes?.includes('resource')) return undefined;
  if (!observer) {
    observer = new Observer(take);
    observer.observe({ type: 'resource' });
  }
  const attempt = { call_: call, url_: withoutHash(new URL(call.url_).href), from_: performance.now() };
  awaited.add(attempt);
  return attempt;
}

/** Of several attempts at a URL an entry is that of the last one that was sent before it. */
function take(list) {
  for (const entry of list.getEntries()) {
    if (entry.initiatorType !== 'fetch') continue;
    const url = withoutHash(entry.name);
    let found;
    for (const attempt of awaited) {
      if (attempt.url_ === url && attempt.from_ <= entry.startTime && !(attempt.from_ <= found?.from_)) found = attempt;
    }
    if (found) settle(found, timingsOf(entry));
  }
}

/** The attempt is over: its entry comes soon, or there is none. */
function expire(attempt) {
  if (!awaited.has(attempt)) return;
  if (attempt.isTold_) attempt.timer_ ??= setTimeout(settle, GRACE, attempt);
  else settle(attempt);
}

function settle(attempt, timings) {
  clearTimeout(attempt.timer_);
  attempt.timings_ = timings;
  awaited.delete(attempt);
  if (!awaited.size) {
    observer.disconnect();
    observer = undefined;
  }
  release(attempt.call_);
}

/** Tells what waits for nothing any more. */
function release({ line_: line, config_: config }) {
  while (line.length && !awaited.has(line[0][1])) {
    const [event, attempt] = line.shift();
    lent.observe_(config.onEvent, attempt?.timings_ ? { ...event, timings: attempt.timings_ } : event);
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
}) {
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
const rounded = (span) => Math.max(0, Math.round(span * 10) / 10);
