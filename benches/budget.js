// What the product may cost, relative to others in the same run: times differ between machines, ratios hardly.

import { differences, ratio } from './stats.js';
import { BARE, YARDSTICK } from './summary.js';

const AT_ONCE = /^100/;
const SEQUENTIAL = /^one/;

const BUDGETS = [
  { than: YARDSTICK, limit: 1.5, of: 'steadfetch get', where: SEQUENTIAL },
  { than: YARDSTICK, limit: 1, of: 'steadfetch get', where: AT_ONCE },
  { than: YARDSTICK, limit: 2, of: 'steadfetch fetch', where: SEQUENTIAL },
  { than: YARDSTICK, limit: 1.1, of: 'steadfetch fetch', where: AT_ONCE },
  { than: 'ky', limit: 0.5 },
  // A queue and a circuit that have nothing to do must not be seen in the time of a call.
  { than: 'steadfetch get', limit: 1.1, of: 'steadfetch guarded' },
];

/**
 * @returns {{ mode: string, name: string, than: string, limit: number, ratio: { value: number, low: number, high: number },
 *   kept: boolean, certain: boolean }[]} `certain`: the limit is outside of the ratio's interval
 */
export function judge(times) {
  return Object.entries(times).flatMap(([mode, contestants]) => {
    const added = (name) => differences(contestants[name], contestants[BARE]);
    const ours = Object.keys(contestants).filter((name) => name.startsWith('steadfetch'));
    return ours.flatMap((name) =>
      BUDGETS.filter(({ of = name, where = /./ }) => of === name && where.test(mode)).map(({ than, limit }) => {
        const found = ratio(added(name), added(than));
        const certain = found.high <= limit || found.low > limit;
        return { mode, name, than, limit, ratio: found, kept: found.value <= limit, certain };
      }),
    );
  });
}
