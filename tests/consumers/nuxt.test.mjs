// Nuxt: in the browser, while a page is rendered, and in a route of its server.

import { test } from 'node:test';

import { SPLIT, WHOLE, consumers } from './harness/consumer.mjs';
import { atServer } from './harness/page.mjs';
import { project } from './harness/project.mjs';
import { onServer, startServer } from './harness/server.mjs';

const ENGINES = { 'the page': SPLIT, 'a page on the server': WHOLE, 'a server route': WHOLE };

test('Nuxt', async (t) => {
  const place = await project('nuxt', { smoke: 'smoke' });
  await place.tool('nuxt', 'build', '--logLevel=silent');
  const origin = await startServer(t, place, {}, '.output/server/index.mjs');
  await consumers(t, {
    'the page': (t) => atServer(t, `${origin}/`),
    'a page on the server': (t) => onServer(t, `${origin}/server`),
    'a server route': (t) => onServer(t, `${origin}/api/report`),
  }, ENGINES);
});
