// Finds the caller's own origin, as far as it is known.

import { provided } from './provided.js';

/** Of a baseUrl that is relative nobody knows it where there is no page. */
export const originOfHome = (url: string | undefined): string | undefined => (url && provided.isAbsolute_(url) ? provided.originOf_(url) : undefined);
