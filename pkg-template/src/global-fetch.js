// The platform's fetch, also where an `api.fetch` has taken its place: that one would call itself without end.

import { safely } from './errors.js';

/** Where an `api.fetch` has the fetch that was there before it. Other copies of the package know it too. */
const BEFORE = Symbol.for('steadfetch.fetch');
/** Where the signal of an attempt has the view that sent it. */
const SENDER = Symbol();
/** The engine is being loaded: nothing that would wait for it is of use. */
const LOADING = {};
/** The view whose fetch function is being called. */
let inside;

/** The global fetch, or the one that an `api.fetch` took the place of. */
export function platformFetch() {
  const { fetch } = globalThis;
  return safely(() => fetch?.[BEFORE]) ?? fetch;
}

/** What a view has as `api.fetch`. A fetch function of the view that calls it in turn, now or later, gets the one that was there before. */
export function standIn(view, send) {
  const { before_: before } = view;
  const fetch = (input, init) =>
    inside === LOADING || inside === view || safely(() => init?.signal?.[SENDER]) === view ? before(input, init) : send(view, input, init);
  fetch[BEFORE] = before;
  return fetch;
}

/** Calls a fetch function, without a receiver. */
export function callFetch(fetch, view, input, init) {
  if (fetch === view.before_) return fetch(input, init);
  const outer = inside;
  inside = view;
  try {
    if (init) init.signal[SENDER] = view;
    return fetch(input, init);
  } finally {
    inside = outer;
  }
}

export const fetchFile = (url) => callFetch(platformFetch(), LOADING, url);
