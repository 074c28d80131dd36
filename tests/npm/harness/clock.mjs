// Time under the case's control: timers and `performance.now` of this realm stand still until told to go on.
// Only for cases without a real network, whose answers take real time.

import { platform } from './track.mjs';

/** Lets everything run that is ready to run: microtasks, and the tasks they queue. */
export async function turn(times = 4) {
  for (let time = 0; time < times; time += 1) await new Promise((resolve) => platform.setTimeout(resolve, 0));
}

export function fakeClock() {
  const saved = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: performance.now };
  const timers = new Map();
  let now = platform.now();
  let last = 0;
  globalThis.setTimeout = (callback, delay = 0, ...rest) => {
    last += 1;
    // As in HTML: a delay is a 32-bit integer.
    const at = now + Math.max(0, delay | 0);
    timers.set(last, { at, order: last, run: () => callback(...rest) });
    return last;
  };
  globalThis.clearTimeout = (handle) => timers.delete(handle);
  performance.now = () => now;
  const due = (limit) => [...timers]
    .filter(([, timer]) => timer.at <= limit)
    .sort(([, left], [, right]) => left.at - right.at || left.order - right.order)[0];
  return {
    now: () => now,
    pending: () => timers.size,
    next: () => Math.min(...[...timers.values()].map((timer) => timer.at)) - now,
    /** Goes on by that many milliseconds and fires what falls due on the way, at its own time. */
    async advance(span) {
      const until = now + span;
      await turn();
      for (let entry = due(until); entry; entry = due(until)) {
        const [handle, timer] = entry;
        timers.delete(handle);
        now = Math.max(now, timer.at);
        timer.run();
        await turn();
      }
      now = until;
      await turn();
    },
    restore() {
      Object.assign(globalThis, { setTimeout: saved.setTimeout, clearTimeout: saved.clearTimeout });
      performance.now = saved.now;
    },
  };
}
