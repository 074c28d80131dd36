// Consumers that are servers of their own: frameworks that render pages.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

import { faults } from './faults.mjs';

/** How long a server may take until it listens. */
const LIMIT = 60_000;

/** Starts a server of the project, which ends with the suite; gives its origin once it listens. */
export async function startServer(t, place, environment, ...args) {
  const port = await freePort();
  const { cwd, env } = place.options();
  const variables = { ...env, HOST: '127.0.0.1', PORT: String(port), ...environment };
  const server = spawn(place.node, args, { cwd, env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  t.after(() => {
    server.kill('SIGKILL');
    return ended;
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk));
  const giveUp = Date.now() + LIMIT;
  while (!(await listens(port))) {
    if (server.exitCode !== null || Date.now() > giveUp) throw new Error(`the server does not listen:\n${output}`);
  }
  return `http://127.0.0.1:${port}`;
}

/** Tries to connect; a refusal is given after a moment. */
function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.destroy() && resolve(true));
    socket.on('error', () => setTimeout(resolve, 50, false));
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** What the server itself reports at a URL: as JSON, or within the page that it renders. */
export async function onServer(t, url) {
  const response = await fetch(`${url}?${await faults(t)}`);
  const text = await response.text();
  const [, rendered] = /<pre id="report"[^>]*>([^<]*)<\/pre>/u.exec(text) ?? [];
  const json = rendered === undefined ? text : decodeURIComponent(rendered.replace(/&#(x27|39);/gu, "'"));
  const report = json.startsWith('{') ? JSON.parse(json) : undefined;
  if (!report?.results) throw new Error(`${url} answers ${response.status} without a report: ${text.slice(0, 2_000)}`);
  return { report };
}
