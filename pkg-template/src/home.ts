// The origin that is the caller's own, as far as it is known.

import { lent } from './lent.js';

/** Of a baseUrl that is relative nobody knows it where there is no page. */
export const originOfHome = (url: string | undefined): string | undefined => (url && lent.isAbsolute_(url) ? lent.originOf_(url) : undefined);
