// Numbers what calls share: budgets, circuits, partitions of a queue. The engine knows each by a number, made of that of the client's option
// and of that of a word, such as the origin.

import type { ReadyCall } from './call-state.js';
import type { Engine } from './shapes.js';

import { FULL, SHARING, WRITES } from './features.js';
import { parts, sharing, writes } from './optional.js';
import { parse } from './url.js';

/** How many words keep their numbers. Beyond that the one that was not met for longest starts anew. */
const WORDS = 1_000;
const WRITTEN = /^[^:]+:\/\/[^/?#]*/;
/** The characters that may follow an origin. */
const BEYOND = ['/', '?', '#', undefined];

let last = 0;
/** A word, such as an origin, and its number. */
interface Word {
  readonly number_: number;
  origin_?: string;
}

/** The latest last. */
const words = new Map<string, Word>();

let latest: Word;
let latestText: string | undefined;
let latestOrigin: string | undefined;

/** The entry of a word. */
function intern(text: string): Word {
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
export function keep<Key>(collection: Map<Key, unknown>, most: number): void {
  if (collection.size > most) collection.delete(collection.keys().next().value!);
}

/** Below 2^53 for a million options, each with billions of words. */
export const keyOf = (shared: number, text: string): number => (shared ? shared * 2 ** 33 + intern(text).number_ : 0);

/** The origin of an absolute URL; of one that has none, which may be all content, no more than its scheme. */
export function originOf(url: string): string {
  // Most calls go where the one before went.
  if (latestOrigin && url.startsWith(latestOrigin) && BEYOND.includes(url[latestOrigin.length])) return latestOrigin;
  const written = WRITTEN.exec(url)?.[0] ?? url.slice(0, url.indexOf(':') + 1);
  const word = intern(written);
  if (!word.origin_) {
    // One that looked absolute need not be one, and a custom fetch may not say so.
    const { origin, protocol } = parse(url);
    word.origin_ = origin.startsWith(protocol) ? origin : written;
  }
  return (latestOrigin = word.origin_);
}

/** Gives a call the numbers of its place among others. May throw what a callback throws. */
export function place(call: ReadyCall, engine: Engine): void {
  const { auth_: auth, shared_: shared, features_: needs = 0 } = call.config_;
  const origin = originOf(call.url_);
  if (needs & WRITES) writes.addKey_(call);
  call.budget_ = keyOf(shared.retryBudget, origin);
  // The full engine may be there for a lookup alone.
  if (needs & FULL) parts?.placeInAdmission_(call, origin);
  if (auth) call.auth_ = parts.authOf_(call, engine);
  if (needs & SHARING) sharing.place_(call);
}
