// What sets the hosts apart that are no browsers; an entry of theirs may say more.

export const host = {
  /** Whether it is a server's, which streams uploads over HTTP/1.1 too. Bun and Deno call themselves Node here. */
  isServer_: !!globalThis.process?.versions?.node,

  /** What a signal needs before many calls listen to it. */
  prepareSignal_: undefined,

  /** Chooses the instance for a call, or none if a new one has to be made; where it is missing one instance serves all. */
  chooseInstance_: undefined,
  markInstance_: undefined,

  /** Why the platform has refused a request, if its error says so: the details of the message. */
  refusal_: undefined,

  /** The system code of a network error. */
  systemCode_: undefined,

  /** Whether a network error says that there was no connection to send on. */
  isUnsent_: undefined,

  /** Says whether a timer keeps the process alive. That of a page is a number, and there is nothing to say. */
  holdTimer_(timer, isHeld) {
    if (typeof timer === 'object') timer[isHeld ? 'ref' : 'unref']?.();
  },
};
