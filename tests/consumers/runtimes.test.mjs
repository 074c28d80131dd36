// The package in the runtimes of servers, without any bundler.

import { consumer } from './harness/consumer.mjs';
import { inProcess } from './harness/process.mjs';
import { project } from './harness/project.mjs';

const place = await project('runtimes');
const NODES = { 'this Node': place.node, 'Node 22': program('node-22', 'bin/node'), 'Node 24': program('node-24', 'bin/node') };

/** The programs are in packages of this very platform: install scripts, which would put them elsewhere, are not run. */
function program(name, file) {
  return place.path(`node_modules/${name}/${file}`);
}

for (const [name, node] of Object.entries(NODES)) {
  consumer(`${name}, import`, (t) => inProcess(t, place, node, 'src/process.mjs'));
  consumer(`${name}, the inline entry`, (t) => inProcess(t, place, node, 'src/process-inline.mjs'));
  consumer(`${name}, require`, (t) => inProcess(t, place, node, 'src/process.cjs'));
}

consumer('Deno, with the permission for the network alone', (t) =>
  inProcess(t, place, program('@deno/linux-x64-glibc', 'deno'), 'run', '--no-prompt', '--allow-net', '--cached-only', 'src/process.mjs'));

consumer('Bun', (t) => inProcess(t, place, program('@oven/bun-linux-x64', 'bin/bun'), 'src/process.mjs'));
