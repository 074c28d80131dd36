// Reads the monotonic clock, and keeps the time that the engine was told last.

import type { Moment } from './shapes.js';

/** The most that a timer holds. */
export const LONGEST: number = 2 ** 31 - 1;

/** The time of the last input of an engine. */
let lastTime = 0;
/** The clock, and the `setTimeout` that it was found with: what fakes one of them fakes the other. */
let clock: Performance;
let companion: typeof setTimeout | undefined;

/** The global `performance` is a getter in pages, which costs as much as ten readings of the clock. */
export function timeNow(): Moment {
  if (companion !== setTimeout) {
    companion = setTimeout;
    clock = performance;
  }
  return clock.now();
}

/** Rounded up, so that no limit is ever early. */
export const now = (): Moment => Math.ceil(timeNow());
/** The time of the last input of an engine: reading the clock costs more than a call of the engine. */
export const recently = (): Moment => lastTime;

/** Keeps the time of an input. */
export function noteTime(time: Moment): void {
  lastTime = time;
}
