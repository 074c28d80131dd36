// Takes all optional chunks, for the entries that have them inside.

import events from './events.js';
import parts from './parts.js';
import provide from './provide.js';
import writes from './writes.js';
import { EVENTS, PARTS, WRITES } from './features.js';
import { take } from './load.js';

export function takeChunks(): void {
  take(EVENTS, events(provide));
  take(PARTS, parts(provide));
  take(WRITES, writes(provide));
}
