// What sets the hosts apart that are no browsers; an entry of theirs may say more.

import type { SentCall, Engine } from './shapes.js';

/** Timers of Node are objects, those of a page numbers. */
type Timer = number | { ref?(): void; unref?(): void };

export interface Host {
  /** Whether it is a server's, which streams uploads over HTTP/1.1 too. Bun and Deno call themselves Node here. */
  isServer_: boolean;
  /** What a signal needs before many calls listen to it. */
  prepareSignal_?: (signal: AbortSignal) => void;
  /** Chooses the instance for a call, or none if a new one has to be made; where it is missing one instance serves all. */
  chooseInstance_?: (instances: Set<Engine>) => Engine | undefined;
  markInstance_?: (instance: Engine) => void;
  /** Why the platform has refused a request, if its error says so: the details of the message. */
  refusal_?: (call: SentCall, error: unknown) => string | undefined;
  /** The system code of a network error. */
  systemCode_?: (error: unknown) => string | undefined;
  /** Whether a network error says that there was no connection to send on. */
  isUnsent_?: (call: SentCall, error: unknown) => boolean;
  /** Says whether a timer keeps the process alive. That of a page is a number, and there is nothing to say. */
  holdTimer_(timer: Timer, isHeld: boolean): void;
}

type Global = { process?: { versions?: { node?: string } } };

export const host: Host = {
  isServer_: !!(globalThis as Global).process?.versions?.node,

  holdTimer_(timer, isHeld) {
    if (typeof timer === 'object') timer[isHeld ? 'ref' : 'unref']?.();
  },
};
