// The optional chunk of event streams: `api.events`. The default entry loads it when the first stream is read (EVENTS in features.ts), all other
// entries have it in them. The rest of the facade calls it through `events` of optional.ts. Nothing in here imports from outside of it: see
// provided.ts.

import type { Provided } from './provide.js';

import { openEvents } from './event-source.js';
import { setProvided } from './provided.js';

/** The functions that the rest of the facade calls. */
export interface Events {
  readonly openEvents_: typeof openEvents;
}

export default (provide: Provided): Events => {
  setProvided(provide);
  return { openEvents_: openEvents };
};
