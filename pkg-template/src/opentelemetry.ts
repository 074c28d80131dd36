// `steadfetch/opentelemetry`: makes metrics and spans of a client's events. Names and values are those of OpenTelemetry's
// semantic conventions for HTTP clients; what these have no name for begins with `steadfetch.`. It imports nothing: meter,
// tracer and context are the caller's.

import type { AttemptEndEvent, CallEndEvent, CallStartEvent, SteadfetchEvent } from '../events.js';
import type { BeforeRequestState, BeforeRetryState } from '../hooks.js';
import type {
  Instrumentation,
  InstrumentOptions,
  TelemetryAttributes,
  TelemetryMeter,
  TelemetrySpan,
  TracerOptions,
} from '../opentelemetry.js';
import type { Same } from './shapes.js';

/** By number, as in OpenTelemetry's API. */
const INTERNAL: 0 = 0;
const CLIENT: 2 = 2;
const ERROR: 2 = 2;
/** Advised for durations of HTTP, in seconds. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** The methods of the conventions; any other one is _OTHER. */
const METHODS = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'];
const OTHER = '_OTHER';
/** How many different words an attribute may have. */
const WORDS = 100;
const NO_TRACE = /^0*$/;

function report(error: unknown): void {
  if (globalThis.reportError) globalThis.reportError(error);
  else console.error(error);
}

/** Runs all of them, whatever one of them throws: telling must fail no call, and leave no span open. */
function each(...steps: (() => unknown)[]): void {
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      report(error);
    }
  }
}

/** Lets so many different words through; all later ones are `_OTHER`. */
function bounded(): (word: string) => string {
  const words = new Set<string>();
  return (word) => (words.has(word) || words.size < WORDS ? (words.add(word), word) : OTHER);
}

/** Without the attributes that are not known. */
const known = (attributes: { [name: string]: string | number | undefined }): TelemetryAttributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined && value !== '')) as TelemetryAttributes;

/** Where a request goes. */
function serverOf(url: string): { address?: string; port?: number } {
  try {
    const { hostname, port, protocol } = new URL(url);
    return { address: hostname, port: +port || (protocol === 'https:' ? 443 : 80) };
  } catch {
    // The result of `redactUrl` is no URL.
    return {};
  }
}

/** How a call or an attempt has ended. */
type Ending = Pick<CallEndEvent, 'code' | 'status'>;

/** The class of an error: the status if that is what is wrong, else our code. */
const errorType = ({ code, status }: Ending): string | undefined => (code === 'HTTP_ERROR' ? `${status}` : code);
/** A request that was answered so has failed, whether or not the call has. */
const attemptErrorType = ({ code, status }: Ending): string | undefined =>
  errorType({ code: code ?? (status! >= 400 ? 'HTTP_ERROR' : undefined), status });

function makeInstruments(meter: TelemetryMeter) {
  const duration = (name: string, description: string) =>
    meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries: BOUNDARIES } });
  const counter = (name: string, unit: string, description: string) => meter.createCounter(name, { unit, description });
  return {
    attempts: duration('http.client.request.duration', 'Duration of HTTP client requests.'),
    calls: duration('steadfetch.call.duration', 'Duration of calls, with their retries and waits, to the end of the body.'),
    queue: duration('steadfetch.queue.duration', 'Time that attempts waited for a slot of the queue.'),
    stalls: duration('steadfetch.attempt.stalled', 'Time that attempts waited inside of the browser.'),
    retries: counter('steadfetch.retries', '{retry}', 'Retries that were decided.'),
    refusals: counter('steadfetch.budget.refusals', '{retry}', 'Retries that the budget did not allow.'),
    refreshes: counter('steadfetch.refreshes', '{refresh}', 'Refreshes of a token that calls waited for.'),
    circuits: counter('steadfetch.circuit.changes', '{change}', 'Changes of circuits.'),
  };
}

type MeterAndTracer = InstrumentOptions & Partial<Omit<TracerOptions, 'tracer'>>;

/** A span, and when it began. */
interface Begun {
  readonly span: TelemetrySpan;
  readonly startTime: number;
}

/** A call that has not ended. */
interface Call {
  readonly labels: TelemetryAttributes;
  readonly startTime: number;
  readonly started: number;
  readonly attempts: Map<number, Begun>;
  queuedAt: number | undefined;
  hasInjected?: boolean;
  // With a tracer.
  name?: string;
  spanAttributes?: TelemetryAttributes;
  context?: object;
  span?: TelemetrySpan;
  /** The context of its span. */
  inner?: object;
}

type Handlers = {
  readonly [Type in Exclude<SteadfetchEvent['type'], 'call-start'>]: (call: Call, event: Extract<SteadfetchEvent, { type: Type }>) => unknown;
};

/** The members that each option needs. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  meter: ['createHistogram', 'createCounter'],
  tracer: ['startSpan'],
  context: ['active'],
  trace: ['setSpan'],
};

function refuse(what: string): never {
  throw new TypeError(`instrument: ${what}`);
}

function checked(options: InstrumentOptions): MeterAndTracer {
  if (typeof options !== 'object' || options === null) refuse('options: object');
  for (const [name, value] of Object.entries(options)) {
    if (name === 'propagate') continue;
    if (!Object.hasOwn(NEEDED, name)) refuse(`${name.slice(0, 40)} is not known; there are ${Object.keys(NEEDED).join(', ')}, propagate`);
    const lacks = NEEDED[name]!.find((method) => value !== undefined && typeof value?.[method] !== 'function');
    if (lacks) refuse(`${name}: it has no ${lacks}; give what @opentelemetry/api gives`);
  }
  const { tracer, context, trace, propagate } = options as MeterAndTracer;
  if (tracer && !(context && trace)) refuse('a tracer needs context and trace of @opentelemetry/api');
  if (propagate !== undefined && propagate !== false && !Array.isArray(propagate)) refuse('propagate: a list of absolute URLs, or false');
  return options as MeterAndTracer;
}

function originOf(url: string | URL): string {
  try {
    return new URL(url).origin;
  } catch {
    return refuse('propagate: absolute URLs only');
  }
}

/** Makes the client options that send its events to a meter and a tracer. */
export function instrument(options: InstrumentOptions = {}): Instrumentation {
  const { meter, tracer, context, trace, propagate = [] } = checked(options);
  const origins = propagate && new Set(propagate.map(originOf));
  const [boundedServer, boundedOperation, boundedDependency] = [bounded(), bounded(), bounded()];
  const instruments = meter && makeInstruments(meter);
  /** Those that have not ended, by their numbers. */
  const calls = new Map<number, Call>();

  function begin({ callId, method, url, dependency, operation, elapsedMs, via }: CallStartEvent): void {
    const isKnown = METHODS.includes(method);
    const server = serverOf(url);
    const name = operation && boundedOperation(operation);
    const own = known({
      'http.request.method': isKnown ? method : OTHER,
      // A template is no path: it has no ids in it.
      [operation.startsWith('/') ? 'url.template' : 'steadfetch.operation']: name,
      'steadfetch.dependency': dependency && boundedDependency(dependency),
    });
    const isCounted = !server.address || boundedServer(`${server.address}:${server.port}`) !== OTHER;
    const labels = known({
      ...own,
      'server.address': isCounted ? server.address : OTHER,
      'server.port': isCounted ? server.port : undefined,
    });
    const call: Call = {
      labels,
      // One clock for all spans of a call, whatever becomes of the system's.
      startTime: Date.now() - elapsedMs,
      started: performance.now() - elapsedMs,
      attempts: new Map(),
      queuedAt: undefined,
    };
    calls.set(callId, call);
    if (!tracer) return;
    call.name = [isKnown ? method : 'HTTP', name].filter(Boolean).join(' ');
    call.spanAttributes = known({
      'http.request.method': isKnown ? method : OTHER,
      'http.request.method_original': isKnown ? undefined : method,
      'server.address': server.address,
      'server.port': server.port,
      'url.full': url,
    });
    call.context = context.active();
    const attributes = { ...own, ...(via === 'network' ? {} : { 'steadfetch.via': via }) };
    const options = { kind: INTERNAL, startTime: call.startTime, attributes };
    call.span = tracer.startSpan(name || `steadfetch ${call.name}`, options, call.context);
    call.inner = trace.setSpan(call.context, call.span);
  }

  /** The span of an attempt; a hook may have begun it before its event. */
  function beginAttempt(call: Call, number: number, elapsedMs: number): void {
    if (!call.span || call.attempts.has(number)) return;
    const attributes = { ...call.spanAttributes, ...(number > 1 ? { 'http.request.resend_count': number - 1 } : {}) };
    const startTime = call.startTime + elapsedMs;
    const span = tracer!.startSpan(call.name!, { kind: CLIENT, startTime, attributes }, call.inner);
    call.attempts.set(number, { span, startTime });
  }

  function endSpan({ span, startTime }: Begun, type: string | undefined, attributes: Parameters<typeof known>[0], endTime: number): void {
    each(
      () => span.setAttributes(known({ ...attributes, 'error.type': type })),
      () => type && span.setStatus({ code: ERROR }),
      // Events count in whole milliseconds, rounded up.
      () => span.end(Math.max(startTime, endTime)),
    );
  }

  function endAttempt(call: Call, event: AttemptEndEvent): void {
    const { attempt, status, startMs, attemptMs, outcome, timings } = event;
    const type = attemptErrorType(event);
    const begun = call.attempts.get(attempt);
    call.attempts.delete(attempt);
    const attributes = { 'http.response.status_code': status };
    const parts = known({ ...timings });
    if (begun) {
      const shown = Object.fromEntries(Object.entries(parts).map(([name, ms]) => [`steadfetch.timings.${name}`, ms]));
      endSpan(begun, type, { ...attributes, 'steadfetch.outcome': outcome, ...shown }, call.startTime + startMs + attemptMs);
    }
    const labels = known({ ...call.labels, ...attributes, 'error.type': type });
    each(
      () => instruments?.attempts.record(attemptMs / 1_000, labels),
      () => parts.stalled !== undefined && instruments?.stalls.record((parts.stalled as number) / 1_000, call.labels),
    );
  }

  function dequeue(call: Call, elapsedMs: number): void {
    if (call.queuedAt === undefined) return;
    instruments?.queue.record((elapsedMs - call.queuedAt) / 1_000, call.labels);
    call.queuedAt = undefined;
  }

  function end(call: Call, event: CallEndEvent): void {
    const { callId, attempts, elapsedMs, retryStopped, outcome } = event;
    const type = errorType(event);
    const endTime = call.startTime + elapsedMs;
    calls.delete(callId);
    // Of an attempt that the engine did not live to see the end of, or that a hook kept from being sent.
    for (const begun of call.attempts.values()) endSpan(begun, type, {}, endTime);
    const attributes = { 'steadfetch.attempts': attempts, 'steadfetch.outcome': outcome, 'steadfetch.retry_stopped': retryStopped };
    if (call.span) endSpan(call as Begun, type, attributes, endTime);
    const labels = known({ ...call.labels, 'error.type': type, 'steadfetch.outcome': outcome });
    each(
      () => dequeue(call, elapsedMs),
      () => instruments?.calls.record(elapsedMs / 1_000, labels),
      () => retryStopped === 'budget' && instruments?.refusals.add(1, call.labels),
    );
  }

  /** The handler of each type of event. */
  const handlers: Handlers = {
    queued: (call, { elapsedMs }) => {
      call.queuedAt = elapsedMs;
    },
    'attempt-start': (call, { attempt, elapsedMs }) => each(
      () => beginAttempt(call, attempt, elapsedMs),
      () => dequeue(call, elapsedMs),
    ),
    'attempt-end': endAttempt,
    retry: (call, { code }) => instruments?.retries.add(1, { ...call.labels, 'error.type': code }),
    refresh: (call, { ok }) =>
      instruments?.refreshes.add(1, ok ? call.labels : { ...call.labels, 'error.type': 'AUTH_REFRESH_FAILED' }),
    'circuit-change': (call, { state }) => instruments?.circuits.add(1, { ...call.labels, 'steadfetch.circuit.state': state }),
    'call-end': end,
  };

  function onEvent(event: SteadfetchEvent): void {
    if (event.type === 'call-start') return begin(event);
    const call = calls.get(event.callId);
    // An event of a later version has no handler.
    if (call) (handlers[event.type] as ((call: Call, event: SteadfetchEvent) => unknown) | undefined)?.(call, event);
  }

  /** Propagates the context of the attempt's span, if its server may get it. */
  function inject({ request, callId, attempt }: BeforeRequestState | BeforeRetryState): void {
    each(() => {
      const call = calls.get(callId);
      const { headers, url } = request;
      if (!call?.span || !isAllowed(new URL(url).origin) || (headers.has('traceparent') && !call.hasInjected)) return;
      beginAttempt(call, attempt, performance.now() - call.started);
      const { traceId, spanId, traceFlags, traceState } = call.attempts.get(attempt)!.span.spanContext();
      if (NO_TRACE.test(traceId)) return;
      call.hasInjected = true;
      headers.set('traceparent', `00-${traceId}-${spanId}-${(traceFlags & 255).toString(16).padStart(2, '0')}`);
      const state = traceState?.serialize();
      if (state) headers.set('tracestate', state);
    });
  }

  const isAllowed = (origin: string): boolean => origin === globalThis.location?.origin || !!origins && origins.has(origin);
  return tracer && propagate ? { onEvent, hooks: { beforeRequest: [inject], beforeRetry: [inject] } } : { onEvent };
}

type Declared = typeof import('../opentelemetry.js');
type Exported = typeof import('./opentelemetry.js');

export type Checked = Same<keyof Declared | keyof Exported, Declared, Exported>;
