// The optional chunk of requests that calls share. The default entry loads it when an option needs it (SHARING in features.ts), all other
// entries have it in them. The rest of the facade calls it through `sharing` of optional.ts. Nothing in here imports from outside of it: see
// provided.ts.

import type { Provided } from './provide.js';

import { fetchShared, joinRequest, placeInFlight, releaseLikeness } from './dedupe.js';
import { setProvided } from './provided.js';

/** The functions that the rest of the facade calls. */
export interface Sharing {
  readonly fetch_: typeof fetchShared;
  readonly join_: typeof joinRequest;
  readonly place_: typeof placeInFlight;
  readonly release_: typeof releaseLikeness;
}

export default (provide: Provided): Sharing => {
  setProvided(provide);
  return { fetch_: fetchShared, join_: joinRequest, place_: placeInFlight, release_: releaseLikeness };
};
