// `api.fetch` beside the platform's own fetch, by random calls: see ../compare.

import { compare } from '../compare/compare.mjs';

const seeds = (count) => Array.from({ length: count }, (_, at) => at + 1);

export default seeds(4).map((seed) => ({
  name: `compare-fetch: random calls with the same result by fetch and api.fetch, seed ${seed}`,
  hosts: ['node', 'chromium', 'firefox'],
  timeout: 60_000,
  full: 300_000,
  leavesTimers: true,
  async run(t) {
    const differences = await compare(t, seed, t.full ? 1_000 : 60);
    t.equal(differences.length, 0, `differences:\n  ${differences.slice(0, 12).join('\n  ')}\n`);
  },
}));
