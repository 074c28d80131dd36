// Consumers that run in workerd, the runtime of Cloudflare Workers.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { faults } from './faults.mjs';

/** Runs the worker in `directory`, whose main module is `worker.js`, at a compatibility date. */
export async function inWorkerd(t, place, directory, compatibilityDate) {
  const config = await configure(place.path(directory), compatibilityDate);
  const port = await start(t, place.require('workerd').default, config);
  // Two requests at once and one after them: what workerd makes for a request, timers and streams, ends with that request.
  const [one, other] = await Promise.all([ask(t, port), ask(t, port)]);
  const results = [one, other, await ask(t, port)].flatMap((report) => report.results);
  await t.test('requests that overlap share a client, and wait for each other in nothing', () => overlap(t, port));
  return { report: { ...one, results: worstOf(results) } };
}

/** One request hangs, others come and go, and the one that hangs is given up by its caller. */
async function overlap(t, port) {
  const query = new URLSearchParams(await faults(t));
  const key = query.get('key');
  const get = async (path, signal) => {
    const url = `${query.get('api')}${path}?key=${key}`;
    return (await fetch(`http://127.0.0.1:${port}/shared?${new URLSearchParams({ url })}`, { signal })).text();
  };
  const seen = async (path, counts) => {
    const wait = new URLSearchParams({ path, key, timeout: 5_000, ...counts });
    return (await (await fetch(`${query.get('control')}/wait?${wait}`)).json()).timedOut;
  };
  const caller = new AbortController();
  const hanging = get('/hang', caller.signal);
  assert.ok(!(await seen('/hang', { requests: 1 })), 'the first request is out');
  const answers = await Promise.all(Array.from({ length: 20 }, () => get('/json')));
  assert.deepEqual(new Set(answers), new Set(['{"name":"Ada"}']), 'beside one that hangs');
  caller.abort();
  await assert.rejects(hanging);
  assert.equal(await get('/json'), '{"name":"Ada"}', 'after one that was cut off');
  assert.equal(await get('/refused'), 'HTTP_ERROR', 'an error of its own');
}

async function ask(t, port) {
  const response = await fetch(`http://127.0.0.1:${port}/?${await faults(t)}`);
  const text = await response.text();
  if (!text.startsWith('{')) throw new Error(`the worker answers ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** One result for each check: a failed one, if there is any. */
function worstOf(results) {
  const worst = new Map();
  for (const result of results) if (worst.get(result.name)?.ok !== false) worst.set(result.name, result);
  return [...worst.values()];
}

async function configure(directory, compatibilityDate) {
  const others = (await readdir(directory)).filter((name) => !name.startsWith('worker.'));
  const modules = [
    '(name = "worker.js", esModule = embed "worker.js")',
    ...others.map((name) => `(name = "./${name}", ${name.endsWith('.wasm') ? 'wasm' : 'esModule'} = embed "${name}")`),
  ];
  const file = join(directory, `worker.${compatibilityDate}.capnp`);
  await writeFile(file, `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const main :Workerd.Worker = (modules = [${modules.join(', ')}], compatibilityDate = "${compatibilityDate}");
`);
  return file;
}

/** Gives the port; the process ends with the test. */
async function start(t, binary, config) {
  const worker = spawn(binary, ['serve', '--control-fd=3', config], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const ended = once(worker, 'exit');
  t.after(() => {
    worker.kill();
    return ended;
  });
  let output = '';
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (chunk) => (output += chunk));
  for await (const line of createInterface(worker.stdio[3])) {
    const { event, port } = JSON.parse(line);
    if (event === 'listen') return port;
  }
  throw new Error(`workerd did not start:\n${output}`);
}
