// The package in the tests of its users: Vitest.

import { consumer } from './harness/consumer.mjs';
import { inTests } from './harness/process.mjs';
import { project } from './harness/project.mjs';

const place = await project('vitest');
for (const environment of ['node', 'jsdom']) {
  consumer(`Vitest, ${environment}`, (t) => inTests(t, place, 'vitest', 'run', `--environment=${environment}`, '--reporter=dot'));
}
