import type { ClientResponse } from './response.js';
import type { SteadfetchError } from './errors.js';

/** How a call went, as a value. Test `success`, and TypeScript knows the rest. `E` is the type of an error's body. */
export type Result<T, E = unknown> = Success<T> | Failure<E>;

/** The call and its body went well. */
export interface Success<T> {
  readonly success: true;
  readonly data: T;
  readonly error: undefined;
  readonly response: ClientResponse;
}

/** It did not. */
export interface Failure<E = unknown> {
  readonly success: false;
  readonly data: undefined;
  /** What happened. If a `beforeError` hook put another error in its place, it is that one. */
  readonly error: SteadfetchError<E>;
  /** The response, if its headers came. */
  readonly response?: Response | undefined;
}
