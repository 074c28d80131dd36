// Describes the state of a call and of its response, with a type for each state that the engine's actions find a call in. Types only:
// nothing of it is in the package.

import type { AttemptInfo, ErrorCode, Phase, RetryStopped } from '../errors.js';
import type { SteadfetchEvent } from '../events.js';
import type { SchemaIssue, StandardSchemaV1 } from '../schema.js';
import type { Likeness, SharedRequest } from './dedupe.js';
import type { Config, HeaderLayer, Init, View } from './config.js';
import type { EventKind } from './protocol.js';
import type { Engine, EventFields, FailureDetails, Moment } from './shapes.js';

/** Facts about the response that was handed out. */
export interface ResponseInfo {
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly retryStopped: RetryStopped | undefined;
}

/** The members that read a body to its end. */
export type How = 'json' | 'text' | 'bytes' | 'arrayBuffer' | 'blob' | 'formData';

export type Schema = StandardSchemaV1;

/** Of a promise of anything. */
export type Resolve = (value: any) => void;
export type Reject = (reason: unknown) => void;

/** The state of a covered response. */
export interface ResponseState {
  readonly call_: CallState;
  /** Has the members as they were: a prototype, or an object with what the response had of its own. */
  original_: Readers;
  /** The object that these are called on: the response, or the target of a Proxy. */
  target_: Response;
  /** The covered body, once it was asked for. */
  stream_: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
  /** Whether an original reader runs, which may use other members of the response. */
  isBare_: boolean;
  /** Whether the body was read piece by piece. */
  isUsed_: boolean;
  /** Whether the target is that of a Proxy. */
  isProxy_: boolean;
  /** Of the original body, once there is one. */
  reader_: Reader | undefined;
}

/** The state of a response of another client, or of none: as far as it is known. */
export type LooseState = Pick<ResponseState, 'original_' | 'target_'> & Partial<ResponseState>;

/** The members of a response that read it, as far as it has them. */
export type Readers = { readonly [Name in How | 'clone']?: any };

/** A reader of a body: of a stream, or made of what stands in place of one. */
export interface Reader {
  read(): Promise<{ done?: boolean | undefined; value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(reason?: unknown): Promise<unknown>;
  readonly closed?: Promise<unknown>;
}

/** A stream, or a reader. */
export interface Cancellable {
  cancel?(reason?: unknown): Promise<unknown>;
}

/**
 * The state of a call. Required fields are set by the constructor, to undefined if their value comes later: a field that is
 * added to an object takes longer to find. Optional fields belong to some calls only.
 *
 * A function of one state of a call takes the type of that state: {@link StartedCall}, {@link SentCall}, {@link AnsweredCall},
 * {@link HandedCall}.
 */
export interface CallState extends EventListenerObject {
  // Where it comes from.
  view_: View;
  config_: Config;
  /** Whether it came through `api.fetch`. */
  isFetch_: boolean;
  callId_: number;
  /** Whether the caller gave an init that is not empty. */
  isInit_: boolean;

  // The request.
  url_: string;
  method_: string;
  methodNumber_: number;
  /** The input of fetch: a URL or a Request. */
  input_: string | Request | undefined;
  init_: Init | undefined;
  signal_: AbortSignal | undefined;
  /** Header layers of which some are functions. */
  layersToAsk_?: HeaderLayer[] | undefined;
  /** A body function. */
  bodyMaker_?: (() => unknown) | undefined;
  /** A Request whose body has to be kept for a second send. */
  requestToRead_?: Request | undefined;
  /** A Request of another implementation, which the platform's fetch does not know. */
  isRebuilt_?: boolean;
  /** A body that is sent as a stream. */
  stream_?: Cancellable | undefined;
  /** The idempotency key, if anything depends on it. */
  isKeyed_: string | null | false | undefined;
  isReplayable_: boolean;
  isKeepalive_: boolean | undefined;
  /** Whether hooks made of it what may not be repeated. */
  isSwapped_: boolean;

  // The numbers of shared resources; 0: none.
  budget_: number;
  circuitKey_: number;
  partition_: number;
  fairnessKey_: number;
  auth_: number;
  /** The name of its circuit, if it has one. */
  circuit_?: string;

  // The engine.
  /** The engine that it was started in. */
  engine_: Engine | undefined;
  id_: number;
  /** When it began; undefined if a check of ours has stopped it. */
  started_: Moment | undefined;
  /** Whether its reader has not been chosen. */
  isUndecided_: boolean;
  /** It waits for what is being loaded. */
  timer_?: ReturnType<typeof setTimeout> | number | undefined;
  isAnnounced_?: boolean;
  isHeld_: boolean;
  /** When it began to wait for a slot; 0: it does not. */
  queuedAt_: Moment;

  // The attempt.
  attempt_: number;
  resends_: number;
  isResend_?: boolean;
  sentAt_: Moment;
  headAt_: Moment;
  /** Whether an attempt is out. */
  isOut_: boolean;
  /** The bytes of its keepalive body that are under way. */
  kept_: number;
  /** The time left until the deadline when the attempt was sent. */
  left_?: number;
  controller_: AbortController | undefined;
  /** What the requests have in common that it may share, and the one that it shares. */
  likeness_: Likeness | undefined;
  request_?: SharedRequest;
  /** The init of the attempt that was sent last. */
  sent_?: Init;
  /** A Request that has the body of this attempt, and can be sent once only, and what goes beside it. */
  singleUseRequest_?: Request | undefined;
  singleUseInit_?: Init;
  /** Attempts that failed; all that are over if the call is watched. */
  log_?: AttemptInfo[] | undefined;
  /** Whether the token is in what was sent. */
  isAuthed_?: boolean | number | undefined;
  /** The result of `shouldRefresh`. */
  isRefused_?: boolean;
  /** Whether no redirect may be followed. */
  isGuarded_?: boolean;
  /** The URL of the response that the hooks were shown. */
  answeredBy_?: string | undefined;

  // The answer.
  via_: 'network' | 'hook' | 'lookup' | 'shared';
  response_: Response | undefined;
  /** Of the response, once it has been read: what a custom fetch made up may say another one each time. */
  status_: number | undefined;
  /** A hook wants a retry, after so many milliseconds; NaN: after the backoff. */
  demand_?: number | undefined;
  /** Of the response that was handed out. */
  info_: ResponseInfo | undefined;
  /** The state of a response that is read without being covered. */
  direct_: ResponseState | undefined;
  /** The reader of a shortcut that was called before the call was sent. */
  reading_: { readonly how_: How; readonly schema_: Schema | undefined; readonly resolve_: Resolve; readonly reject_: Reject } | undefined;
  /** Of the response of a shortcut, once the caller has asked for it. */
  promise_: Promise<Response> | undefined;
  resolve_: ((response: Response) => void) | undefined;
  reject_: Reject | undefined;

  // The body.
  /** The body and its clones that are still of use. */
  branches_: number;
  reader_?: Reader | undefined;
  received_: number;
  /** The resolve and reject functions of each promise of the body, in turns. */
  waiting_: (Resolve | Reject | undefined)[] | undefined;
  isStreaming_?: boolean;
  /** Whether the platform reads it, which shows no sizes. */
  isBlind_?: unknown;
  isValidating_?: boolean;
  issues_?: readonly SchemaIssue[] | undefined;
  /** The data of an error response. */
  data_?: unknown;

  // The end.
  isCancelled_?: boolean;
  isCallersAbort_?: boolean | undefined;
  /** The reason of an abort. */
  cause_?: unknown;
  /** The view that ended with all its calls. */
  endedBy_: View | undefined;
  /** Why it failed: a Refusal of our own checks, or `original_`, the error that was thrown. */
  failureDetails_: FailureDetails;
  /** The error that the beforeError hooks returned. */
  hookError_?: Error;
  isDone_: boolean;
  hasFailed_: boolean;
  /** The error that the call was rejected with. */
  failure_?: unknown;
  /** The code of its error. */
  code_?: ErrorCode | undefined;

  /** Its response, which is covered now if it was not before. */
  covered_(): Response;
  cancel_(reason: unknown, isCallersAbort?: boolean, view?: View): void;
  start_(engine: Engine): void;
  flags_(): number;
  signals_(): AbortSignal[];
  hasSignals_(): unknown;
  isWatched_(): unknown;
  event_(kind: EventKind, value?: number): void;
  eventUntimed_(kind: EventKind): void;
  chunk_(bytes: number, more?: boolean): void;
  hold_(isHeld: boolean): void;
  announce_(): void;
  emit_<Type extends SteadfetchEvent['type']>(type: Type, phase: Phase | undefined, ...more: EventFields<Type> extends Record<string, never> ? [] : [EventFields<Type>]): void;
  timeLeft_(): number;
  elapsed_(): number;
}

// The states of a call. The engine performs no action out of its order: what an action finds is there.

/** Its request has been read. */
export interface ReadyCall extends CallState {
  input_: string | Request;
  init_: Init;
}

/** An engine has it: from `start` to the end. */
export interface StartedCall extends ReadyCall {
  readonly engine_: Engine;
  readonly started_: Moment;
}

/** An attempt was sent. */
export interface SentCall extends StartedCall {
  readonly sent_: Init;
  readonly left_: number;
}

/** There is an answer, from the network or from a hook. */
export interface AnsweredCall extends StartedCall {
  response_: Response;
  status_: number;
}

/** Its response was handed out. */
export interface HandedCall extends AnsweredCall {
  readonly info_: ResponseInfo;
}
