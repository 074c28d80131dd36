// Describes engines, actions and failures for the modules of the facade. Types only: nothing of it is in the package.

import type { AuthRefreshFailedError, ErrorInfo, Hint, Phase, SteadfetchError } from '../errors.js';
import type { EventBase, SteadfetchEvent } from '../events.js';
import type { CallState, HandedCall, ReadyCall } from './call-state.js';
import type { ActionKind } from './protocol.js';

/** Milliseconds of the clock that never jumps. */
export type Moment = number;

/** A number of the action that is being performed, by its place. Good until the action returns or waits. */
export type Get = (place: number) => number;

/** The exports of an engine: functions of numbers, and the memory with its output. */
export type EngineExports = Readonly<Record<'setup' | 'start' | 'head' | 'event', Export>> &
  Readonly<Partial<Record<string, Export>>> & { readonly memory: { readonly buffer: ArrayBuffer } };
type Export = (...numbers: Numeric[]) => number;

/** A number for the engine: WebAssembly takes a boolean for 1 or 0, and undefined for NaN. */
export type Numeric = number | boolean | undefined;

/** An engine: one instance of the wasm module, its timer and its calls. */
export interface Engine {
  readonly calls_: ReadonlyMap<number, CallState>;
  start_(call: ReadyCall): void;
  isAlive_(): boolean;
  /** Whether it has neither calls nor a timer. */
  isFree_(): boolean;
  /** Asks an export that changes nothing for a call. The lean module has not all of them. */
  ask_(name: string, a?: Numeric, b?: Numeric, c?: Numeric, d?: Numeric, e?: Numeric): number | undefined;
  /** Calls an export, then performs the engine's actions. */
  run_(name: string, a?: Numeric, b?: Numeric, c?: Numeric, d?: Numeric, e?: Numeric, f?: Numeric, g?: Numeric): void;
  /** The same at a time that is known. */
  runAt_(time: Moment, name: string, a?: Numeric, b?: Numeric, c?: Numeric, d?: Numeric, e?: Numeric, f?: Numeric, g?: Numeric): void;
  cancel_(call: CallState): void;
  /** The state of a circuit, its failures in a row, and how long it will refuse. */
  circuit_(key: number, resetTimeout: number): Float64Array | never[];
  /** A call is more than an unread body, or no longer. */
  hold_(count: number): void;
  disarmIdle_(): void;
  /** New calls go elsewhere from now on. */
  retire_(): void;
}

/** The fields of an event that not all of them have. */
export type EventFields<Type extends SteadfetchEvent['type']> = Omit<Extract<SteadfetchEvent, { readonly type: Type }>, keyof EventBase | 'type'>;

/** What the facade adds to the engine's failure. */
export interface FailureDetails {
  readonly original_?: unknown;
  details_?: string | undefined;
  hint_?: Hint | undefined;
  readonly advice_?: string | undefined;
}

/** A failed call: the number of its code, and the fields of its error. */
export interface Failure {
  readonly code_: number;
  readonly fields_: FailureFields;
}

/** The fields that an error of ours may be logged with, as they are declared. */
export interface FailureFields
  extends Pick<ErrorInfo, 'outcome' | 'attempts' | 'elapsedMs' | 'retryStopped' | 'status' | 'retryAfterMs' | 'limit' | 'bytesReceived' | 'hint'> {
  readonly phase: Phase | undefined;
  readonly sessionLost?: AuthRefreshFailedError['sessionLost'] | undefined;
}

/** Does not compile unless what a module exports is what is declared, and of its type. */
export type Same<Names extends keyof Actual & keyof Wanted, Wanted, Actual extends Wanted> = Names;

/** Performs an action. Of which calls there are actions of a kind is what the engine knows: none is answered that was not sent. */
export type Perform = (call: HandedCall, get: Get, kind: ActionKind) => void;

export type Actions = { readonly [Kind in ActionKind]?: Perform };

/** An error as its types are declared. */
export type AnyError = SteadfetchError;
