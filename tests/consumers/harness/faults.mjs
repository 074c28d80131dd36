// The faults that the smoke suite meets: one origin of the fault server for each run.

import { fileURLToPath } from 'node:url';

import { spawn } from '../../server/client.mjs';

const binary = process.env.STEADFETCH_SERVER_BIN ?? fileURLToPath(new URL('../../../target/debug/steadfetch-fault-server', import.meta.url));

const SCRIPT = [
  { path: '/json', steps: [{ json: { name: 'Ada' } }] },
  { path: '/drip', steps: [{ drip: { text: '0123456789', every: 20 } }] },
  { path: '/stall', steps: [{ chunks: [{ text: '{"name":' }], end: 'hang' }] },
  { path: '/hang', steps: [{ before: 'hang' }] },
  { path: '/bytes', steps: [{ bytes: 100_000 }] },
  { path: '/cut', steps: [{ chunks: [{ text: 'half' }, { bytes: 0, delay: 50 }], end: 'cut' }] },
  { path: '/unsteady', steps: [{ status: 503 }, { json: { steady: true } }] },
  { path: '/down', steps: [{ status: 500 }] },
  { path: '/refused', steps: [{ status: 422, json: { detail: 'no' } }] },
  { path: '/events', steps: [{ headers: { 'content-type': 'text/event-stream' }, body: 'data: one\n\n: comment\nevent: greeting\nid: 7\ndata: {"a":1}\n\n' }] },
  { path: '/echo', method: 'POST', steps: [{ echo: true }] },
  { path: '/token', steps: [{ json: { token: 'fresh' } }] },
  { path: '/private', method: ['GET', 'POST'], when: { headers: { authorization: 'Bearer fresh' } }, steps: [{ json: { secret: 7 } }] },
  { path: '/private', method: ['GET', 'POST'], steps: [{ status: 401 }] },
];

let server;
let runs = 0;

/** The query string that a run of the smoke suite is given. */
export async function faults(t) {
  server ??= await spawn({ binary });
  const origin = await server.open({ script: SCRIPT });
  t.after(() => origin.close());
  const control = `${server.control}/control/origins/${origin.id}`;
  return new URLSearchParams({ api: origin.origin, control, key: `run${++runs}` }).toString();
}
