// Describes clients: their merged options, their place among others, their counts. Types only: nothing of it is in the package.

import type { AuthOptions } from '../auth.js';
import type { ErrorCode, Phase } from '../errors.js';
import type { Hooks } from '../hooks.js';
import type { CallOptions, ClientOptions, DownloadProgress, OutcomeLookupOptions } from '../options.js';
import type { CircuitBreakerOptions, QueueOptions } from '../protection.js';
import type { RetryOptions } from '../retry.js';
import type { Moment } from './shapes.js';

/** The members of a group of options, each under the name that it has in the table. */
type Grouped<Group extends string, Options> = { readonly [Name in keyof Options & string as `${Group}.${Name}`]?: Options[Name] | undefined };

/** Options that are kept as they were given. */
type Kept = Pick<
  CallOptions,
  'deadlineHeader' | 'dedupe' | 'fallback' | 'idempotencyKey' | 'idempotent' | 'json' | 'onDownloadProgress' | 'onEvent' | 'parseJson' | 'searchParams' | 'stringifyJson' | 'throwHttpErrors' | 'timings'
> &
  Pick<ClientOptions, 'redactUrl'>;

/** A client's merged options. Given values have the option's name; derived values have a name that ends in `_`. */
export interface Config
  extends Readonly<Omit<Kept, 'deadlineHeader'>>,
    Omit<Grouped<'retry', RetryOptions>, 'retry.delay' | 'retry.jitter'>,
    Grouped<'queue', QueueOptions>,
    Grouped<'circuitBreaker', CircuitBreakerOptions>,
    Grouped<'outcomeLookup', OutcomeLookupOptions>,
    Omit<Grouped<'auth', AuthOptions>, 'auth.origins'> {
  readonly fetch?: typeof fetch | undefined;
  readonly name: string;
  readonly operation: string;
  readonly baseUrl?: string | undefined;
  readonly headers: readonly HeaderLayer[];
  readonly form?: unknown;
  readonly hooks: Hooks;
  readonly deadlineHeader?: { readonly name: string; readonly crossOrigin: boolean } | undefined;
  readonly 'retry.delay'?: RetryCallback | number | undefined;
  readonly 'retry.jitter'?: RetryCallback | boolean | string | undefined;
  /** Their origins. */
  readonly 'auth.origins'?: readonly string[] | undefined;
  readonly init_: Init;
  /** The numbers for the engine, each in its slot. */
  readonly slots_: Float64Array;
  /** Whether the limit was given: SCOPE_CLIENT or SCOPE_CALL; 0: it was not. */
  readonly timeoutGiven_: number;
  readonly totalGiven_: number;
  /** The numbers of what calls share, by the name of the option; 0: there is none. */
  readonly shared_: { readonly queue: number; readonly circuitBreaker: number; readonly retryBudget: number };
  readonly features_?: number;
  /** The object that was given, by which clients share what becomes of it. */
  readonly auth_?: AuthOptions | undefined;
  /** The URL whose origin gets the token, unless `auth.origins` is given. */
  readonly home_?: string | undefined;
  /** The circuits that were asked of late, by name. */
  readonly circuits_?: Circuits;
  readonly counts_: Counts;
}

/** A callback that gives milliseconds. */
export type RetryCallback = (value: number) => number | Promise<number>;

/** The keys of circuits by their names, and the key that was asked last. */
export type Circuits = Map<string, number> & { latest_?: number };

/** The init of fetch. A body may be of a runtime's own kind. */
export interface Init extends RequestInit {
  duplex?: 'half';
}

/** A layer of headers: what the platform takes, or an object in which undefined removes a name. */
export type HeaderLayer = Headers | readonly (readonly [string, string])[] | Readonly<Record<string, string | undefined>> | (() => unknown);

/** The argument of `onDownloadProgress`. */
export type Progress = DownloadProgress;

/** A client, or what `extend` and `scope` make of one. */
export interface View {
  readonly config_: Config;
  readonly fetchConfig_: Config;
  readonly parent_?: View | undefined;
  /** The global fetch of the time when it was made. */
  readonly before_?: typeof fetch | undefined;
  readonly signal_?: AbortSignal | undefined;
  /** Whether it, or one that it was made from, has a signal. */
  readonly hasSignal_?: boolean;
  readonly deadline_: Moment;
  /** Whether the first call that fails ends the others. */
  readonly isFailFast_?: boolean;
  /** There once it is closed. */
  closed_?: { readonly reason_: unknown } | undefined;
}

/** Durations, of which the latest are kept. */
export interface Duration {
  count: number;
  readonly kept_: number[];
}

/** The counts of a client and its views. */
export interface Counts {
  calls: number;
  succeeded: number;
  failed: Partial<Record<ErrorCode, number>>;
  attempts: number;
  shared: number;
  inFlight: number;
  retries: number;
  resent: number;
  refreshes: number;
  lookups: number;
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
