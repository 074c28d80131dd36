// What modules of Node add to the host: the entries get them in different ways.

import { host } from './host.js';
import { isUnsent, refusal, systemCode, watchRedirects } from './network.js';

/**
 * @param {{ setMaxListeners?: Function }} events node:events
 * @param {{ subscribe?: Function }} channels node:diagnostics_channel
 */
export function useNode({ setMaxListeners }, { subscribe }) {
  Object.assign(host, { isUnsent_: isUnsent, refusal_: refusal, systemCode_: systemCode });
  if (subscribe) watchRedirects(subscribe);

  // Node takes more than ten listeners for a leak, and says so. Calls that share a signal are none.
  host.prepareSignal_ = (signal) => {
    try {
      setMaxListeners(0, signal);
    } catch {
      // A signal of somebody else's making, which warns of nothing.
    }
  };
}
