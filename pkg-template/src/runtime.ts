// Describes the runtime where it is no browser; the entries of such runtimes add to it.

import type { SentCall } from './call-state.js';
import type { Engine } from './shapes.js';

/** Timers of Node are objects, those of a page numbers. */
type Timer = number | { ref?(): void; unref?(): void };

export interface Runtime {
  /** Whether it is a server's, which streams uploads over HTTP/1.1 too. Bun and Deno call themselves Node here. */
  isServer_: boolean;
  /** Prepares a signal for many listeners. */
  prepareSignal_?: (signal: AbortSignal) => void;
  /** Chooses the engine for a call, or none if a new one has to be made; where it is missing one engine serves all. */
  chooseEngine_?: (engines: Set<Engine>) => Engine | undefined;
  markEngine_?: (engine: Engine) => void;
  /** Why the platform refused a request, if its error shows that it did. */
  refusal_?: (call: SentCall, error: unknown) => string | undefined;
  /** The system code of a network error. */
  systemCode_?: (error: unknown) => string | undefined;
  /** Whether a network error shows that there was no connection to send on. */
  isUnsent_?: (call: SentCall, error: unknown) => boolean;
  /** Says whether a timer keeps the process alive. That of a page is a number, and there is nothing to say. */
  holdTimer_(timer: Timer, isHeld: boolean): void;
}

type Global = { process?: { versions?: { node?: string } } };

export const runtime: Runtime = {
  isServer_: !!(globalThis as Global).process?.versions?.node,

  holdTimer_(timer, isHeld) {
    if (typeof timer === 'object') timer[isHeld ? 'ref' : 'unref']?.();
  },
};
