// Adds to the runtime what modules of Node provide: the entries get them in different ways.

import { runtime } from './runtime.js';
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
  Object.assign(runtime, { isUnsent_: isUnsent, refusal_: refusalOf, systemCode_: systemCode });
  if (subscribe) watchRedirects(subscribe);

  // Node warns of more than ten listeners as a leak. Calls that share a signal are none.
  runtime.prepareSignal_ = (signal) => {
    try {
      setMaxListeners!(0, signal);
    } catch {
      // A foreign signal, which warns of nothing.
    }
  };
}
