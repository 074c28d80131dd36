// A plain web server: the files of a directory, and one JSON answer.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

/**
 * @param {object} t the test, which closes the server
 * @param {string} [directory] what is served
 * @param {{ headers?: object, missing?: RegExp }} [how] headers of every file; paths that are not there
 */
export async function serve(t, directory, { headers = {}, missing } = {}) {
  const requests = [];
  const notFound = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://any');
    requests.push(pathname);
    if (pathname === '/api/user') {
      response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
      response.end('{"name":"Ada"}');
      return;
    }
    if (pathname === '/favicon.ico') {
      // Every browser asks for it; a 404 would be a complaint on the console.
      response.writeHead(204).end();
      return;
    }
    try {
      if (!directory || missing?.test(pathname)) throw new Error('not here');
      const name = normalize(pathname === '/' ? '/index.html' : pathname);
      const body = await readFile(join(directory, name));
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', ...headers });
      response.end(body);
    } catch {
      notFound.push(pathname);
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('not found');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, api: `${origin}/api/`, requests, missing: notFound };
}
