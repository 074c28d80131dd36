// Finds the platform's fetch, also where an `api.fetch` has taken its place: that one would call itself without end.

import type { View } from './config.js';

import { is, safely } from './errors.js';

/** Where an `api.fetch` has the fetch that was there before it. Other copies of the package know it too. */
const BEFORE: unique symbol = Symbol.for('steadfetch.fetch');
/** Where the signal of an attempt has the view that sent it. */
const SENDER: unique symbol = Symbol();
type Fetch = typeof fetch & { [BEFORE]?: typeof fetch | undefined };
type SentSignal = AbortSignal & { [SENDER]?: View };
type Input = Parameters<PlatformFetch>[0];
export type PlatformFetch = typeof globalThis.fetch;

/** The engine is being loaded: nothing that would wait for it is of use. */
const LOADING = {} as View;
const MARK = '#steadfetch';
/** The view whose fetch function is being called. */
let inside: View | undefined;

/** The global fetch, or the one that an `api.fetch` took the place of. */
export function platformFetch(): PlatformFetch | undefined {
  const { fetch } = globalThis as { fetch?: Fetch };
  return safely(() => fetch?.[BEFORE]) ?? fetch;
}

/** The `api.fetch` of a view. If the view's own fetch function calls it, now or later, it calls the fetch that was there before. */
export function standIn(view: View, send: (view: View, input: Input, init?: RequestInit) => Promise<Response>): PlatformFetch {
  const { before_: before } = view;
  /** URLs of the Requests that are out by a global fetch that is not `before`. */
  const out = new Set<string>();
  /** A global fetch that calls this one. */
  let around: PlatformFetch | undefined;
  const fetch: Fetch = (input, init) => {
    if (inside === LOADING || inside === view || safely(() => (init?.signal as SentSignal | undefined)?.[SENDER]) === view) return before!(input, init);
    const global = platformFetch();
    if (global === before || !is(input, 'Request')) return send(view, input, init);
    // A wrapper that came later makes a Request of what it is given, calls this with it, and is called in turn: without end. A URL
    // that is out already is suspect. A GET is then sent with a fragment, which never leaves the platform: what comes back with it
    // has come by the wrapper. Of a Request with a body there is no faithful copy, so there the suspicion is enough.
    const { url, method } = input as Request;
    if (url.endsWith(MARK)) around = global;
    if (global === around || (out.has(url) && method !== 'GET')) {
      return send({ ...view, parent_: view, fetchConfig_: { ...view.fetchConfig_, fetch: before } }, input, init);
    }
    const call = send(view, out.has(url) ? new Request(url + MARK, input as Request) : input, init);
    const back = () => out.delete(url);
    out.add(url);
    call.then(back, back);
    return call;
  };
  fetch[BEFORE] = before;
  return fetch;
}

/** Calls a fetch function, without a receiver. */
export function callFetch(fetch: typeof globalThis.fetch, view: View, input: Input, init?: RequestInit): Promise<Response> {
  if (fetch === view.before_) return fetch(input, init);
  const outer = inside;
  inside = view;
  try {
    if (init) (init.signal as SentSignal)[SENDER] = view;
    return fetch(input, init);
  } finally {
    inside = outer;
  }
}

export const fetchFile = (url: string | URL): Promise<Response> => callFetch(platformFetch()!, LOADING, url);
