/**
 * The platform's types, taken from its globals: they are found in TypeScript's `dom` library and in `@types/node` alike,
 * so a project needs only one of the two.
 */

/** What `Response.bytes()` gives; TypeScript before 5.9 has no `Uint8Array<ArrayBuffer>`. */
export type Bytes = Response extends { bytes(): Promise<infer B> } ? B : Uint8Array;

/** Everything that `fetch` takes as a body. */
export type BodySource = NonNullable<RequestInit['body']>;

/** Everything that `fetch` takes as headers. */
export type HeadersSource = NonNullable<RequestInit['headers']>;

/** A compiled module, where the platform's types know `WebAssembly`. Theirs is an empty interface, which a number fits. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } }
  ? M & object
  : never;

/** Members of fetch's init that only some runtimes have: Deno, Bun, workerd, Next, undici, node-fetch, Chromium. */
type RuntimeMember =
  | 'client'
  | 'unix'
  | 'tls'
  | 'proxy'
  | 'verbose'
  | 'decompress'
  | 'cf'
  | 'next'
  | 'dispatcher'
  | 'agent'
  | 'targetAddressSpace'
  | 'browsingTopics'
  | 'adAuctionHeaders'
  | 'sharedStorageWritable'
  | 'attributionReporting';

/** Those of them that the platform's own types do not know; where they do, theirs hold. */
export type RuntimeInit = { [K in Exclude<RuntimeMember, keyof RequestInit>]?: unknown };

/** Every property may be left out or be `undefined`, also under `exactOptionalPropertyTypes`. */
export type Loose<T> = { [K in keyof T]?: T[K] | undefined };
