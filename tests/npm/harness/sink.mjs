// Where pages deliver their results: a server of the driver's own, so that every browser that can open a URL will do.

import { createServer } from 'node:http';

export async function openSink() {
  const waiting = new Map();
  let last = 0;
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      response.writeHead(204, { 'access-control-allow-origin': '*', connection: 'close' }).end();
      waiting.get(request.url)?.(JSON.parse(Buffer.concat(parts).toString() || 'null'));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    /** An address for one result, and the result. */
    expect() {
      last += 1;
      const path = `/${last}`;
      const result = new Promise((resolve) => waiting.set(path, resolve));
      return { url: origin + path, result: result.finally(() => waiting.delete(path)) };
    },
    close: () => server.close(),
  };
}
