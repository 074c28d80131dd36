// SvelteKit: in the browser, and on the server with the fetch that it gives to load functions.

import { test } from 'node:test';

import { SPLIT, WHOLE, consumers } from './harness/consumer.mjs';
import { atServer } from './harness/page.mjs';
import { project } from './harness/project.mjs';
import { onServer, startServer } from './harness/server.mjs';

const ENGINES = { 'the page': SPLIT, 'load({ fetch }) of a page, on the server': WHOLE, 'load({ fetch }) of the server': WHOLE };

test('SvelteKit', async (t) => {
  const place = await project('sveltekit', { smoke: 'src/lib' });
  await place.tool('vite', 'build', '--logLevel=error');
  const origin = await startServer(t, place, { ORIGIN: undefined }, 'build/index.js');
  await consumers(t, {
    'the page': (t) => atServer(t, `${origin}/`),
    'load({ fetch }) of a page, on the server': (t) => onServer(t, `${origin}/load`),
    'load({ fetch }) of the server': (t) => onServer(t, `${origin}/server`),
  }, ENGINES);
});
