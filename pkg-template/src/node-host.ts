// What modules of Node add to the host: the entries get them in different ways.

import { host } from './host.js';
import { isUnsent, refusalOf, systemCode, watchRedirects } from './network.js';

/** Of node:events. */
interface Events {
  readonly setMaxListeners?: (most: number, signal: AbortSignal) => void;
}

/** Of node:diagnostics_channel. */
interface Channels {
  readonly subscribe?: Parameters<typeof watchRedirects>[0];
}

export function useNode({ setMaxListeners }: Events, { subscribe }: Channels): void {
  Object.assign(host, { isUnsent_: isUnsent, refusal_: refusalOf, systemCode_: systemCode });
  if (subscribe) watchRedirects(subscribe);

  // Node takes more than ten listeners for a leak, and says so. Calls that share a signal are none.
  host.prepareSignal_ = (signal) => {
    try {
      setMaxListeners!(0, signal);
    } catch {
      // A signal of somebody else's making, which warns of nothing.
    }
  };
}
