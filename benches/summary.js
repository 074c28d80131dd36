// From the times of all rounds to what is said about them.

import { differences, ratio, spread } from './stats.js';

export const BARE = 'bare fetch';
export const YARDSTICK = 'hand-written';

/** @param {Record<string, Record<string, number[]>>} times by mode, by contestant, as `measure` gives them */
export function summarize(times) {
  return Object.entries(times).map(([mode, contestants]) => {
    const bare = contestants[BARE];
    const yardstick = differences(contestants[YARDSTICK], bare);
    const rows = Object.entries(contestants).map(([name, rounds]) => {
      if (name === BARE) return { name, perCall: spread(rounds) };
      const added = differences(rounds, bare);
      return { name, perCall: spread(rounds), added: spread(added), toHandWritten: ratio(added, yardstick) };
    });
    return { mode, rows };
  });
}
