// The package in the runtimes of servers, without any bundler.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { WHOLE, consumer } from './harness/consumer.mjs';
import { faults } from './harness/faults.mjs';
import { inProcess } from './harness/process.mjs';
import { project } from './harness/project.mjs';

const place = await project('runtimes');
const NODES = { 'this Node': place.node, 'Node 22': program('node-22', 'bin/node'), 'Node 24': program('node-24', 'bin/node') };

/** The programs are in packages of this very platform: install scripts, which would put them elsewhere, are not run. */
function program(name, file) {
  return place.path(`node_modules/${name}/${file}`);
}

for (const [name, node] of Object.entries(NODES)) {
  consumer(`${name}, import`, (t) => inProcess(t, place, node, 'src/process.mjs'), { engines: WHOLE });
  consumer(`${name}, the inline entry`, (t) => inProcess(t, place, node, 'src/process-inline.mjs'), { engines: WHOLE });
  consumer(`${name}, require`, (t) => inProcess(t, place, node, 'src/process.cjs'), { engines: WHOLE });
}

consumer('Deno, with the permission for the network alone', (t) =>
  inProcess(t, place, program('@deno/linux-x64-glibc', 'deno'), 'run', '--no-prompt', '--allow-net', '--cached-only', 'src/process.mjs'), { engines: WHOLE });

consumer('Bun', (t) => inProcess(t, place, program('@oven/bun-linux-x64', 'bin/bun'), 'src/process.mjs'), { engines: WHOLE });

test('Deno on a terminal, with the permission for the network alone, asks for nothing', async (t) => {
  const deno = program('@deno/linux-x64-glibc', 'deno');
  // `script` gives it a terminal, where Deno would ask and wait.
  const command = `'${deno}' run --allow-net --cached-only src/process.mjs '${await faults(t)}'`;
  const output = await place.run('script', '--quiet', '--return', '--command', command, '/dev/null');
  assert.doesNotMatch(output, /Allow\?|requests/u);
  const { results } = JSON.parse(output.split(/\r?\n/u).find((line) => line.startsWith('{"version"')));
  assert.deepEqual(results.filter(({ ok }) => !ok), []);
});
