// Serves an example together with an API that goes wrong on purpose: node examples/serve.mjs vanilla
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawn } from '../tests/server/client.mjs';

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const [name = 'vanilla'] = process.argv.slice(2);
const page = path(name === 'vanilla' ? 'examples/vanilla' : `examples/${name}/dist`);
const made = name === 'vanilla' ? path('pkg') : page;
if (!existsSync(made)) throw new Error(`there is no ${made} yet: see examples/README.md`);

const unavailable = { status: 503 };
const script = {
  '/api/lists/tea': [unavailable, unavailable, { json: [{ name: 'Assam' }, { name: 'Sencha' }] }],
  '/api/lists/coffee': unavailable,
  '/api/lists/cocoa': { before: 'hang' },
  // Performed, but the gateway's answer does not say so.
  'POST /api/orders': [{ commit: true, status: 502 }, { commit: true, status: 201, json: { number: 2 } }],
};

const built = execFileSync(
  'cargo',
  ['build', '--quiet', '--package=steadfetch-fault-server', '--message-format=json'],
  { cwd: path('.'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
);
const binary = built.split('\n').filter(Boolean).map((line) => JSON.parse(line).executable).find(Boolean);
const server = await spawn({ binary, statics: { '/': page, '/pkg': path('pkg') } });
const origin = await server.open({ script });
console.log(`${name} is at ${origin.url('/')} (Ctrl-C ends it)`);

// Says what was aborted by the page, on its way or by a timeout: the connection closes, and the server knows.
const told = new Set();
for (;;) {
  const { log } = await origin.wait({ closes: told.size + 1, timeout: 60_000 }).catch((error) => {
    if (error.name !== 'WaitTimeout') throw error;
    return error.report;
  });
  for (const { number, method, url, state } of log) {
    if (state !== 'closed' || told.has(number)) continue;
    told.add(number);
    console.log(`aborted by the page: ${method} ${url}`);
  }
}
