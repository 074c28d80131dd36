// Astro: in the browser, while a page is rendered, and in an endpoint.

import { test } from 'node:test';

import { SPLIT, WHOLE, consumers } from './harness/consumer.mjs';
import { atServer } from './harness/page.mjs';
import { project } from './harness/project.mjs';
import { onServer, startServer } from './harness/server.mjs';

const ENGINES = { 'the page': SPLIT, 'a page on the server': WHOLE, 'an endpoint': WHOLE };

test('Astro', async (t) => {
  const place = await project('astro', { smoke: 'src/lib', node: 'node-24' });
  await place.tool('astro', 'build', '--silent');
  const origin = await startServer(t, place, {}, 'dist/server/entry.mjs');
  await consumers(t, {
    'the page': (t) => atServer(t, `${origin}/`),
    'a page on the server': (t) => onServer(t, `${origin}/server`),
    'an endpoint': (t) => onServer(t, `${origin}/route`),
  }, ENGINES);
});
