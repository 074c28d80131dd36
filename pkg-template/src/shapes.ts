// What the modules of the facade know of a call, a client and a failure. Types only: nothing of it is in the package.

import type { AttemptInfo, ErrorCode, Hint, Outcome, Phase, RetryStopped } from '../errors.js';
import type { SteadfetchEvent } from '../events.js';

/** Milliseconds of the clock that never jumps. */
export type Moment = number;

/** A number of the action that is being performed, by its place. Good until the action returns or waits. */
export type Get = (place: number) => number;

/** What an engine exports: functions of numbers, and the memory with its answers. */
export type EngineExports = Record<string, (...numbers: number[]) => number> & { readonly memory: { readonly buffer: ArrayBuffer } };

/** What a client's options become. What was given is under its own name; what was made of it has a name that ends in `_`. */
export interface Config extends Readonly<Record<string, unknown>> {
  readonly fetch?: typeof fetch | undefined;
  readonly name: string;
  readonly operation: string;
  readonly baseUrl?: string | undefined;
  readonly searchParams?: unknown;
  readonly headers: readonly HeaderLayer[];
  readonly onEvent?: ((event: SteadfetchEvent) => unknown) | undefined;
  readonly onDownloadProgress?: ((progress: Progress, chunk: Uint8Array | undefined) => unknown) | undefined;
  readonly hooks: { readonly [moment in Hook]?: readonly ((...given: never[]) => unknown)[] | undefined };
  readonly redactUrl?: ((url: string) => string) | undefined;
  readonly timings?: boolean | undefined;
  readonly 'retry.afterStatusCodes'?: readonly number[] | undefined;
  readonly init_: RequestInit;
  /** The numbers that the engine is told, each in its slot. */
  readonly slots_: Float64Array;
  /** The numbers of what calls share, by the name of the option; 0: there is none. */
  readonly shared_: { readonly queue: number; readonly circuitBreaker: number; readonly retryBudget: number };
  readonly needs_?: number;
  readonly auth_?: object | undefined;
  readonly home_?: string | undefined;
  /** The circuits by their names, once there are some. */
  readonly circuits_?: Map<string, number>;
  /** The scope in which a limit was given; 0: nowhere. */
  readonly timeoutGiven_: number;
  readonly totalGiven_: number;
  readonly counts_: Counts;
}

/** A layer of headers: what the platform takes, or an object in which undefined removes a name. */
export type HeaderLayer = Headers | readonly (readonly [string, string])[] | Readonly<Record<string, string | undefined>> | (() => unknown);

type Hook = 'beforeRequest' | 'beforeRetry' | 'afterResponse' | 'beforeError';

/** What `onDownloadProgress` is told. */
export interface Progress {
  readonly percent: number;
  readonly transferredBytes: number;
  readonly totalBytes: number;
}

/** A client, or what `extend` and `scope` make of one. */
export interface View {
  readonly config_: Config;
  readonly fetchConfig_: Config;
  readonly parent_?: View | undefined;
  /** The global fetch of the time when it was made. */
  readonly before_: typeof fetch;
  readonly signal_?: AbortSignal | undefined;
  /** Whether it, or a view that it was made from, has a signal. */
  readonly hasSignal_: boolean;
  readonly isFailFast_?: boolean;
  /** Why it ended with all its calls, once it has. */
  closed_: { readonly reason_: unknown } | undefined;
  readonly deadline_: Moment;
}

/** Why a call failed, as far as the facade knows. */
export interface Why {
  readonly original_?: unknown;
  details_?: string | undefined;
  hint_?: Hint | undefined;
  readonly advice_?: string | undefined;
}

/** What the engine says of a failed call: the number of its code, and the fields of its error. */
export interface Failure {
  readonly code_: number;
  readonly fields_: FailureFields;
}

export interface FailureFields {
  readonly phase: Phase | undefined;
  readonly outcome: Outcome;
  readonly attempts: readonly AttemptInfo[];
  readonly elapsedMs: number;
  readonly retryStopped?: RetryStopped | undefined;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly limit?: number | undefined;
  readonly bytesReceived?: number | undefined;
  readonly sessionLost?: boolean | undefined;
  readonly hint?: Hint | undefined;
}

/** Durations, of which the latest are kept. */
export interface Duration {
  count: number;
  readonly kept_: number[];
}

/** What a client and its views count together. */
export interface Counts {
  calls: number;
  succeeded: number;
  failed: Partial<Record<ErrorCode, number>>;
  attempts: number;
  inFlight: number;
  retries: number;
  resent: number;
  refreshes: number;
  budgetRefusals: number;
  enqueued: number;
  dispatched: number;
  waiting: number;
  circuitsOpened: number;
  timeouts: Partial<Record<Phase, number>>;
  atTimeout: { inFlight: number; waiting: number };
  cancelled: Partial<Record<'signal' | 'page' | 'client', number>>;
  readonly callMs: Duration;
  readonly attemptMs: Duration;
  readonly queueMs: Duration;
  readonly queueShare: Duration;
}

/** An engine, and the calls that were started in it. */
export interface Instance<C = unknown> {
  readonly calls_: Map<number, C>;
  start_(call: C): void;
  isAlive_(): boolean;
  /** Whether it has neither calls nor a timer. */
  isFree_(): boolean;
  ask_(name: string, ...numbers: unknown[]): number | undefined;
  /** Calls an export, then does what the engine says. */
  run_(name: string, ...numbers: unknown[]): void;
  runAt_(time: Moment, name: string, ...numbers: unknown[]): void;
  cancel_(call: C): void;
  circuit_(key: number, resetTimeout: number): ArrayLike<number>;
  hold_(count: number): void;
  rest_(): void;
  retire_(): void;
}

/** What is known of the response that was handed out. */
export interface ResponseFacts {
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly retryStopped: RetryStopped | undefined;
}

/** A reader of a shortcut that was called before the call was sent. */
export interface Reading {
  readonly how_: string;
  readonly schema_: unknown;
  readonly resolve_: (value: never) => void;
  readonly reject_: (error: unknown) => void;
}

/** A call, as far as the modules below it look at it. */
export interface CallState {
  readonly config_: Config;
  readonly isFetch_: boolean;
  readonly view_: View;
  readonly method_: string;
  readonly methodNumber_: number;
  readonly url_: string;
  /** What fetch is given: a URL or a Request. */
  readonly input_: string | Request;
  readonly init_: RequestInit;
  /** The init of the attempt that was sent last. */
  readonly sent_: RequestInit;
  readonly sentAt_: Moment;
  readonly stream_?: unknown;
  readonly via_: 'network' | 'hook';
  readonly response_: Response;
  readonly status_: number | undefined;
  readonly info_?: object | undefined;
  received_: number;
  why_: Why;
  cause_?: unknown;
  readonly isAuthed_?: boolean;
  budget_: number;
  auth_: number;
  timeLeft_(): number;
  signals_(): AbortSignal[];
}
