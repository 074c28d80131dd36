// The numbers of docs/engine.md that the facade itself says or asks for.

// Events.
export const READY = 1;
export const STOP = 2;
export const REFUSED = 3;
export const FAILED = 4;
export const HOOKING = 5;
export const ANSWER = 6;
export const CALLBACK_FAILED = 7;
export const READING = 8;
export const BODY_END = 9;
export const DROPPED = 10;
export const STREAMING = 11;
export const PROBED = 12;
export const HOOKED = 13;
export const LENGTH = 14;

// Actions that are about more than their call.
export const WATCH_ONLINE = 12;
export const AUTH = 15;
export const END_WELL = 17;

// The questions of `Ask`.
export const SHOULD_RETRY = 1;
export const DELAY = 2;

// Flags of `Head`.
export const THROW = 1;
export const BODILESS = 2;
export const UNAUTHORIZED = 4;
export const RETRIED = 8;
export const HEEDED = 16;
export const DEMANDED = 32;
export const EXACT = 64;

// Places among the numbers of a call's options.
export const TIMEOUT_SLOT = 0;
export const IDLE_TIMEOUT_SLOT = 2;
export const TOTAL_TIMEOUT_SLOT = 3;
export const MAX_RESPONSE_BYTES_SLOT = 6;
export const RESET_TIMEOUT_SLOT = 18;
