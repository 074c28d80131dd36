import type { CoveredResponse } from './response.js';
import type { SteadfetchError } from './errors.js';

/** How a call went, as a value. Test `success`, and TypeScript knows the rest. */
export type Result<T> = Success<T> | Failure;

/** The call and its body went well. */
export interface Success<T> {
  readonly success: true;
  readonly data: T;
  readonly error: undefined;
  readonly response: CoveredResponse;
}

/** It did not. */
export interface Failure {
  readonly success: false;
  readonly data: undefined;
  /** What happened. If a `beforeError` hook put another error in its place, it is that one. */
  readonly error: SteadfetchError;
  /** The response, if its headers came. */
  readonly response?: Response | undefined;
}
