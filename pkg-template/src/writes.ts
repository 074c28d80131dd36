// The optional chunk of writes: the idempotency key, and the lookup of a lost write's outcome. The default entry loads it when an option needs it (WRITES in features.ts), all other
// entries have it in them. The rest of the facade calls it through `writes` of optional.ts. Nothing in here imports from outside of it: see
// provided.ts.

import type { Provided } from './provide.js';

import { addKey } from './idempotency-key.js';
import { lookUp } from './outcome-lookup.js';
import { setProvided } from './provided.js';

/** The functions that the rest of the facade calls. */
export interface Writes {
  readonly addKey_: typeof addKey;
  readonly lookUp_: typeof lookUp;
}

export default (provide: Provided): Writes => {
  setProvided(provide);
  return { addKey_: addKey, lookUp_: lookUp };
};
