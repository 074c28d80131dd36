// Takes all optional chunks, for the entries that have them inside.

import events from './events.js';
import parts from './parts.js';
import provide from './provide.js';
import sharing from './sharing.js';
import writes from './writes.js';
import { EVENTS, PARTS, SHARING, WRITES } from './features.js';
import { take } from './load.js';

export function takeChunks(): void {
  take(EVENTS, events(provide));
  take(PARTS, parts(provide));
  take(SHARING, sharing(provide));
  take(WRITES, writes(provide));
}
