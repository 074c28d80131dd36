// Finds the caller's own origin, as far as it is known.

import { provided } from './provided.js';

/** Undefined for a relative baseUrl without a page. */
export const originOfHome = (url: string | undefined): string | undefined => (url && provided.isAbsolute_(url) ? provided.originOf_(url) : undefined);
