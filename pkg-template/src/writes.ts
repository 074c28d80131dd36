// The optional chunk of writes: the idempotency key. The default entry loads it when an option needs it (WRITES in features.ts), all other
// entries have it in them. The rest of the facade calls it through `writes` of optional.ts. Nothing in here imports from outside of it: see
// provided.ts.

import type { Provided } from './provide.js';

import { addKey } from './idempotency-key.js';
import { setProvided } from './provided.js';

/** The functions that the rest of the facade calls. */
export interface Writes {
  readonly addKey_: typeof addKey;
}

export default (provide: Provided): Writes => {
  setProvided(provide);
  return { addKey_: addKey };
};
