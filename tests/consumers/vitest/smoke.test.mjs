// The report goes to the file that the harness reads.

import { writeFileSync } from 'node:fs';

import { test } from 'vitest';

import { smoke } from './src/smoke.mjs';

test('smoke', { timeout: 120_000 }, async () => {
  writeFileSync(process.env.CONSUMER_REPORT, JSON.stringify(await smoke(process.env.CONSUMER_QUERY)));
});
