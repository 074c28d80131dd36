// The package in the tests of its users: Jest in its default mode, and Vitest.

import { test } from 'node:test';

import { WHOLE, consumer } from './harness/consumer.mjs';
import { inTests } from './harness/process.mjs';
import { project } from './harness/project.mjs';

for (const version of [29, 30]) {
  const place = await project(`jest-${version}`, { also: ['jest'] });
  for (const environment of ['node', 'jsdom']) {
    test(`Jest ${version}, CommonJS, ${environment}, a made-up fetch, and the testing kit`, () =>
      place.tool('jest', `--env=${environment}`, 'mocks.test', 'testing.test'));
  }
  for (const environment of ['node', './jsdom-and-fetch.js']) {
    consumer(`Jest ${version}, CommonJS, ${environment}`, (t) => inTests(t, place, 'jest', `--env=${environment}`, 'smoke'), { engines: WHOLE });
  }
}

const place = await project('vitest');
for (const environment of ['node', 'jsdom']) {
  consumer(`Vitest, ${environment}`, (t) => inTests(t, place, 'vitest', 'run', `--environment=${environment}`, '--reporter=dot'), { engines: WHOLE });
}
