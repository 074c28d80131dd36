import type { RetryStopped } from './errors.js';
import type { Result } from './result.js';
import type { InferOutput, StandardSchemaV1 } from './schema.js';
import type { Bytes } from './platform.js';

/** A stream of bytes with an async iterator of its own, also in engines that have none (WebKit). */
export type ByteStream = AsyncIterable<Bytes> & ReadableStream<Bytes>;

/**
 * The platform's own `Response` object: `instanceof Response` holds, `url`, `redirected` and `type` are the platform's,
 * and it goes into `cache.put()`, `respondWith()` or `WebAssembly.instantiateStreaming()` as it is. Its body members
 * obey the limits of the call, also after `clone()`.
 *
 * @template T What `json()` gives unless it is told otherwise.
 */
export interface ClientResponse<T = any> extends Response {
  /** The body as JSON. For `api.fetch` what is no JSON rejects as the platform does, with a SyntaxError. */
  json<J = T>(): Promise<J>;
  /** The body as JSON, checked by a schema; what it refuses is UNEXPECTED_RESPONSE with `error.issues`. */
  json<Schema extends StandardSchemaV1>(schema: Schema): Promise<InferOutput<Schema>>;
  /**
   * The body as a stream that obeys the limits of the call.
   *
   * @example
   * const response = await api.fetch('log');
   * for await (const chunk of response.stream()) show(chunk);
   */
  stream(): ByteStream;
  /** The body as bytes, also where the platform's `Response` has no `bytes()`. */
  bytes(): Promise<Bytes>;
  /** A copy whose body obeys the limits of the call as well. */
  clone(): ClientResponse<T>;
}

/**
 * What `api.get()` and its siblings return: a real promise of the response, with the ways to read its body on it.
 * All limits of the call run to the end of the body.
 *
 * @template T What `json()` and `result()` give unless they are told otherwise.
 */
export interface ResponsePromise<T = unknown> extends Promise<ClientResponse<unknown extends T ? any : T>> {
  /**
   * The body as JSON. 204, 205, 304 and the answer to HEAD have no body and give undefined; any other empty body is
   * PARSE_ERROR, hint 'empty-body'. The request has `Accept: application/json` unless you set another, or `keepalive`.
   *
   * @example const user = await api.get('users/1').json<User>();
   */
  json<J = T>(): Promise<J>;
  /**
   * The body as JSON, checked by a schema; what it refuses is UNEXPECTED_RESPONSE with `error.issues`. What is no schema is
   * INVALID_OPTION.
   *
   * @example const user = await api.get('users/1').json(z.object({ name: z.string() }));
   */
  json<Schema extends StandardSchemaV1>(schema: Schema): Promise<InferOutput<Schema>>;
  /** The body as text, decoded as UTF-8. The request has `Accept: text/*` unless you set another, or `keepalive`. */
  text(): Promise<string>;
  /** The body as bytes. */
  bytes(): Promise<Bytes>;
  /** The body as an ArrayBuffer. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** The body as a Blob of the response's type. */
  blob(): Promise<Blob>;
  /** The body as FormData. */
  formData(): Promise<FormData>;
  /**
   * The body as a stream, at once: the call's errors come out of the stream. From the headers on only `idleTimeout`
   * holds, and those of `timeout` and `totalTimeout` that this very call was given.
   *
   * @example for await (const chunk of api.get('export.csv').stream()) write(chunk);
   */
  stream(): ByteStream;
  /**
   * The body as JSON, or the error as a value: this promise never rejects.
   *
   * @example
   * const { success, data, error } = await api.get('users/1').result<User>();
   * if (success) show(data); else if (error.code === 'HTTP_ERROR') show(error.status);
   *
   * @template J The type of the body.
   * @template E The type of the body of HTTP_ERROR: `error.data`.
   */
  result<J = T, E = unknown>(): Promise<Result<J, E>>;
  /** The body as JSON, checked by a schema, or the error as a value: this promise never rejects. */
  result<Schema extends StandardSchemaV1, E = unknown>(schema: Schema): Promise<Result<InferOutput<Schema>, E>>;
}

/** What is known about the call behind a response. */
export interface CallInfo {
  /** How many attempts were sent. */
  readonly attempts: number;
  /** Whether it was sent once more after a token refresh. */
  readonly resent: boolean;
  /**
   * Where the response is from: the network, the request of another call (`dedupe`), a hook that supplied it, or the
   * lookup of a lost write (`outcomeLookup`).
   */
  readonly via: 'network' | 'shared' | 'hook' | 'lookup';
  /** From the start of the call to its headers, in milliseconds. */
  readonly elapsedMs: number;
  /** Why a status of `retry.statusCodes` is the answer and was not retried (any further). */
  readonly retryStopped?: RetryStopped | undefined;
  /** The call's number, as in its events. It is never sent. */
  readonly callId: number;
  /** The response's `x-request-id`, if it has one that may be read. */
  readonly requestId?: string | undefined;
  /** The response's `Server-Timing`, if it has one that may be read. */
  readonly serverTiming?: string | undefined;
}
