/**
 * Feeds an OpenTelemetry meter and tracer with what a client tells. Names and values are those of the semantic conventions
 * for HTTP clients; what these have no name for begins with `steadfetch.`. Works with `@opentelemetry/api` 1, which it does
 * not import.
 *
 * @module steadfetch/opentelemetry
 */
import type { SteadfetchEvent } from './events.js';
import type { BeforeRequestState, BeforeRetryState } from './hooks.js';

/** The attributes of a measurement or a span. */
export type TelemetryAttributes = Record<string, string | number | boolean>;

/** What is used of a histogram. */
export interface TelemetryHistogram {
  record(value: number, attributes?: TelemetryAttributes): void;
}

/** What is used of a counter. */
export interface TelemetryCounter {
  add(value: number, attributes?: TelemetryAttributes): void;
}

/** What is used of a meter: `metrics.getMeter(...)`. */
export interface TelemetryMeter {
  createHistogram(
    name: string,
    options: { unit: string; description: string; advice: { explicitBucketBoundaries: number[] } },
  ): TelemetryHistogram;
  createCounter(name: string, options: { unit: string; description: string }): TelemetryCounter;
}

/** What is used of a span. */
export interface TelemetrySpan {
  spanContext(): { traceId: string; spanId: string; traceFlags: number; traceState?: { serialize(): string } };
  setAttributes(attributes: TelemetryAttributes): unknown;
  setStatus(status: { code: 2 }): unknown;
  end(endTime: number): void;
}

/** What is used of a tracer: `trace.getTracer(...)`. */
export interface TelemetryTracer {
  startSpan(
    name: string,
    options: { kind: 0 | 2; startTime: number; attributes: TelemetryAttributes },
    context?: object,
  ): TelemetrySpan;
}

/** `context` of `@opentelemetry/api`. */
export interface TelemetryContext {
  active(): object;
}

/** `trace` of `@opentelemetry/api`. */
export interface TelemetryTrace {
  setSpan(context: object, span: TelemetrySpan): object;
}

/** Where `instrument` writes. */
export type InstrumentOptions = MeterOptions & (TracerOptions | NoTracerOptions);

/** Metrics. */
export interface MeterOptions {
  /** Gets the histograms and counters; undefined: no metrics. */
  readonly meter?: TelemetryMeter | undefined;
}

/** Traces. */
export interface TracerOptions {
  /** Gets a span for each call, and below it a span of kind CLIENT for each attempt. */
  readonly tracer: TelemetryTracer;
  /** `context` of `@opentelemetry/api`: the span that is active when a call starts is the parent of the call's. */
  readonly context: TelemetryContext;
  /** `trace` of `@opentelemetry/api`. */
  readonly trace: TelemetryTrace;
  /**
   * The origins, beside the page's own, whose requests carry `traceparent` and `tracestate` (W3C Trace Context); false: none
   * do, not even those of the page's origin. A request to another origin with these headers costs a CORS preflight, and fails
   * if the server's `Access-Control-Allow-Headers` does not name them; so does a redirect to another origin. The resend after a
   * token refresh carries those of the attempt before.
   *
   * @default []
   */
  readonly propagate?: ReadonlyArray<string | URL> | false | undefined;
}

/** No traces. */
export interface NoTracerOptions {
  readonly tracer?: undefined;
}

/** Options of a client. */
export interface Instrumentation {
  readonly onEvent: (event: SteadfetchEvent) => void;
  /** There with a tracer, unless `propagate` is false. */
  readonly hooks?: {
    readonly beforeRequest: ReadonlyArray<(state: BeforeRequestState) => void>;
    readonly beforeRetry: ReadonlyArray<(state: BeforeRetryState) => void>;
  };
}

/**
 * What a client is given so that its events end up in a meter and a tracer. Several clients may share it. A mistake of meter
 * or tracer fails no call; it goes to `reportError`, else to the console. Throws a TypeError for a tracer without its context,
 * and for a `propagate` that is no list of URLs.
 *
 * Metrics, each with `http.request.method`, `server.address`, `server.port`, `steadfetch.dependency` (the client's `name`)
 * and the call's `operation`: as `url.template` if it begins with `/`, else as `steadfetch.operation`. None has a path or an id,
 * and beyond 100 different servers, operations or dependencies all further ones are `_OTHER`.
 *
 * - `http.client.request.duration` (s), an attempt, to its headers or its failure: `http.response.status_code`, `error.type`
 * - `steadfetch.call.duration` (s), a call with its retries, waits and body: `error.type`, `steadfetch.outcome`
 * - `steadfetch.queue.duration` (s), the wait for a slot of the client's `queue`
 * - `steadfetch.attempt.stalled` (s), with `timings: true`: the wait inside of the browser, for one of its connections
 * - `steadfetch.retries`: `error.type`, what is retried
 * - `steadfetch.budget.refusals`, `steadfetch.refreshes`, `steadfetch.circuit.changes` (`steadfetch.circuit.state`)
 *
 * `error.type` is the status for an error status, else the `code` of our errors.
 *
 * The span of an attempt ends with its headers or its failure, that of the call with the body. `url.full` is the address as
 * events show it: without its query, or what `redactUrl` makes of it.
 *
 * @example
 * import { context, metrics, trace } from '@opentelemetry/api';
 *
 * const api = createClient({
 *   name: 'shop',
 *   baseUrl: 'https://api.example.test/',
 *   ...instrument({
 *     meter: metrics.getMeter('shop'),
 *     tracer: trace.getTracer('shop'),
 *     context,
 *     trace,
 *     propagate: ['https://api.example.test'],
 *   }),
 * });
 */
export function instrument(options: InstrumentOptions): Instrumentation;
