// What calls share: budgets, circuits, lanes of a queue. The engine knows each by a number, made of that of the client's
// option and of that of a word, such as the origin.

import { parts } from './load.js';
import { FULL } from './needs.js';

/** How many words keep their numbers. Beyond that the one that was not met for longest starts anew. */
const WORDS = 1_000;
const PRIORITIES = ['', 'high', 'auto', 'low'];
const WRITTEN = /^[^:]+:\/\/[^/?#]*/;

let last = 0;
/** @type {Map<string, { number_: number, origin_?: string }>} the latest last */
const words = new Map();

let latest;
let latestText;

/** What is known of a word. */
function wordOf(text) {
  // Most calls go where the one before went.
  if (text === latestText) return latest;
  let word = words.get(text);
  if (word) words.delete(text);
  else word = { number_: ++last };
  words.set(text, word);
  keep(words, WORDS);
  latestText = text;
  return (latest = word);
}

/** Drops what was met first. */
export function keep(collection, most) {
  if (collection.size > most) collection.delete(collection.keys().next().value);
}

/** Below 2^53 for a million options, each with billions of words. */
export const keyOf = (shared, text) => (shared ? shared * 2 ** 33 + wordOf(text).number_ : 0);

/** The origin of an absolute URL; of one that has none, which may be all content, no more than its scheme. */
export function originOf(url) {
  const written = WRITTEN.exec(url)?.[0] ?? url.slice(0, url.indexOf(':') + 1);
  const word = wordOf(written);
  if (!word.origin_) {
    word.origin_ = written;
    try {
      const { origin } = new URL(url);
      if (origin !== 'null') word.origin_ = origin;
    } catch {
      // A custom fetch knows what it is.
    }
  }
  return word.origin_;
}

/** What the engine is told about a call's place among others, in the order of docs/engine.md. May throw what a callback throws. */
export function keysOf(call, host) {
  const { auth_: auth, shared_: shared, needs_: needs } = call.config_;
  const origin = originOf(call.url_);
  return [
    keyOf(shared.retryBudget, origin),
    ...(needs & FULL ? parts.guardKeys_(call, origin) : [0, 0, 0]),
    Math.max(0, PRIORITIES.indexOf(call.init_.priority)),
    call.view_.deadline_,
    auth ? parts.authOf_(call, host) : 0,
  ];
}
