import { createClient } from 'steadfetch';
import {
  instrument,
  type Instrumentation,
  type TelemetryContext,
  type TelemetryMeter,
  type TelemetryTrace,
  type TelemetryTracer,
} from 'steadfetch/opentelemetry';
import { assert, type Equal } from './equal.js';

declare const meter: TelemetryMeter;
declare const tracer: TelemetryTracer;
declare const context: TelemetryContext;
declare const trace: TelemetryTrace;

const telemetry = instrument({ meter, tracer, context, trace, propagate: ['https://api.test', new URL('https://b.test')] });
assert<Equal<typeof telemetry, Instrumentation>>();
const api = createClient({ name: 'shop', ...telemetry });
void api.extend({ ...instrument({ meter }), onEvent: (event) => telemetry.onEvent(event) });
void instrument({ tracer, context, trace, propagate: false });
void instrument({});

// What @opentelemetry/api gives has more members, and narrower parameters, than are asked for.
interface Context {
  getValue(key: symbol): unknown;
}
interface Span {
  spanContext(): { traceId: string; spanId: string; traceFlags: number; isRemote?: boolean; traceState?: { serialize(): string } };
  setAttributes(attributes: { [name: string]: string | number | boolean | string[] | undefined }): this;
  setStatus(status: { code: 0 | 1 | 2; message?: string }): this;
  end(endTime?: number | Date | [number, number]): void;
  isRecording(): boolean;
}
declare const given: {
  context: { active(): Context; with<T>(context: Context, run: () => T): T };
  trace: { setSpan: (context: Context, span: Span) => Context };
  tracer: { startSpan(name: string, options?: { kind?: 0 | 1 | 2 | 3 | 4; startTime?: number | Date }, context?: Context): Span };
};
void instrument(given);

// @ts-expect-error - a tracer needs its context
void instrument({ tracer });
// @ts-expect-error - a list
void instrument({ tracer, context, trace, propagate: 'https://api.test' });
