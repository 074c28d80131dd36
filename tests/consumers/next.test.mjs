// Next, built by Turbopack (its default) and by webpack: client and server components, route handlers, the edge runtime.

import { test } from 'node:test';

import { SPLIT, WHOLE, WITHOUT_WEBASSEMBLY, consumers } from './harness/consumer.mjs';
import { atServer } from './harness/page.mjs';
import { project } from './harness/project.mjs';
import { onServer, startServer } from './harness/server.mjs';

/** A server has everything in its entry. The edge runtime forbids to compile WebAssembly, and loads nothing later. */
const ENGINES = {
  'client component': SPLIT,
  'server component': WHOLE,
  'route handler': WHOLE,
  'edge route': WITHOUT_WEBASSEMBLY,
};

const installed = await project('next', { smoke: 'smoke' });

for (const bundler of ['turbopack', 'webpack']) {
  test(`Next, ${bundler}`, async (t) => {
    // Next 16 cannot build an edge route by webpack: a manifest of its own is missing.
    const hasEdge = bundler === 'turbopack';
    if (!hasEdge) await installed.remove('app/edge');
    const place = installed.with({ CONSUMER_OUTPUT: `.next-${bundler}`, NODE_ENV: 'production' });
    await place.tool('next', 'build', `--${bundler}`);
    const origin = await startServer(t, place, {}, place.binary('next'), 'start', '--hostname', '127.0.0.1');
    await consumers(t, {
      'client component': (t) => atServer(t, `${origin}/`),
      'server component': (t) => onServer(t, `${origin}/server`),
      'route handler': (t) => onServer(t, `${origin}/route`),
      ...(hasEdge && { 'edge route': (t) => onServer(t, `${origin}/edge`) }),
    }, ENGINES);
  });
}
