/**
 * `steadfetch` for `require`. The exports are those of `steadfetch`, and the types are the same ones.
 *
 * @module steadfetch
 */
import type * as steadfetch from './index.js' with { 'resolution-mode': 'import' };

export type * from './index.js' with { 'resolution-mode': 'import' };

export declare const HTTPError: typeof steadfetch.HTTPError;
export type HTTPError<E = unknown> = steadfetch.HTTPError<E>;
export declare const SteadfetchError: typeof steadfetch.SteadfetchError;
export type SteadfetchError<E = unknown> = steadfetch.SteadfetchError<E>;
export declare const callInfo: typeof steadfetch.callInfo;
export declare const createClient: typeof steadfetch.createClient;
export declare const errorInfo: typeof steadfetch.errorInfo;
export declare const init: typeof steadfetch.init;
export declare const isAbortError: typeof steadfetch.isAbortError;
export declare const isHTTPError: typeof steadfetch.isHTTPError;
export declare const isNetworkError: typeof steadfetch.isNetworkError;
export declare const isSteadfetchError: typeof steadfetch.isSteadfetchError;
export declare const isTimeoutError: typeof steadfetch.isTimeoutError;
export declare const ready: typeof steadfetch.ready;
export declare const retry: typeof steadfetch.retry;
export declare const version: typeof steadfetch.version;
