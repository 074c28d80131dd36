// Holds the optional chunks, once they are loaded.

import type { Events } from './events.js';
import type { Parts } from './parts.js';
import type { Sharing } from './sharing.js';
import type { Writes } from './writes.js';

import { EVENTS, PARTS, SHARING } from './features.js';

/** An optional chunk: one for each bit of features.ts that is no engine. */
export type Chunk = Events | Parts | Sharing | Writes;

// Each is there for calls whose options need it.
export let events: Events;
export let parts: Parts;
export let writes: Writes;
export let sharing: Sharing;

export function setChunk(what: number, given: Chunk): void {
  if (what === PARTS) parts = given as Parts;
  else if (what === EVENTS) events = given as Events;
  else if (what === SHARING) sharing = given as Sharing;
  else writes = given as Writes;
}
