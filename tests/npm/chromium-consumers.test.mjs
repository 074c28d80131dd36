// The packed package in pages, as its users use it: by itself, and out of bundles.

import assert from 'node:assert/strict';
import { readFile, readdir, stat } from 'node:fs/promises';
import { test } from 'node:test';

import { build as viteBuild } from 'vite';

import { resultOf } from './consumers/pages.mjs';
import { application, EXPECTED, project } from './consumers/project.mjs';
import { serve } from './consumers/server.mjs';

/** `result` of the page is what the application returns, or how it fails. */
const main = (from = './application.js') => `
import { application } from '${from}';
application(new URL(new URLSearchParams(location.search).get('api') ?? '/api/', location.href)).then(
  (result) => { globalThis.result = result; },
  (error) => { globalThis.result = 'rejected: ' + error.code + ' ' + error.message + ' ' + error.hint; },
);
`;
const page = (script) => `<!doctype html>\n<meta charset="utf-8">\n<title>consumer</title>\n${script}\n`;
const IMPORT_MAP = `<script type="importmap">
{ "imports": { "steadfetch": "/node_modules/steadfetch/index.js", "steadfetch/inline": "/node_modules/steadfetch/inline.js" } }
</script>`;
const PLAIN = {
  'index.html': page(`${IMPORT_MAP}\n<script type="module" src="/main.js"></script>`),
  'main.js': main(),
};

/** The files of the package that were asked for. */
const filesOf = (requests) => requests.map((path) => path.split('/steadfetch/')[1]).filter(Boolean).sort();

test('a plain page', async (t) => {
  const { directory } = await project(t, PLAIN);
  const { origin, requests } = await serve(t, directory);
  assert.deepEqual(await resultOf(origin), { result: EXPECTED, complaints: [] });
  assert.deepEqual(filesOf(requests), ['full.js', 'index.js', 'parts.js']);
});

test('a plain page, the inline entry', async (t) => {
  const { directory } = await project(t, { ...PLAIN, 'application.js': application('steadfetch/inline') });
  const { origin, requests } = await serve(t, directory);
  assert.deepEqual(await resultOf(origin), { result: EXPECTED, complaints: [] });
  assert.deepEqual(filesOf(requests), ['inline.js']);
});

test('the engine in JavaScript serves where the file of the full one is missing', async (t) => {
  const { directory } = await project(t, PLAIN);
  const { origin, requests } = await serve(t, directory, { missing: /full\.js$/u });
  assert.equal((await resultOf(origin)).result, EXPECTED);
  assert.deepEqual(filesOf(requests), ['full.js', 'index.js', 'parts.js', 'translated.js']);
});

test("a page whose CSP allows 'wasm-unsafe-eval'", async (t) => {
  const { directory } = await project(t, { ...PLAIN, ...withoutInlineScripts });
  const headers = { 'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" };
  const { origin } = await serve(t, directory, { headers });
  assert.deepEqual((await resultOf(origin)).result, EXPECTED);
});

const STRICT = { 'content-security-policy': "default-src 'self'" };

test('a page whose CSP forbids WebAssembly has the engine in JavaScript', async (t) => {
  const { directory } = await project(t, { ...PLAIN, ...withoutInlineScripts });
  const { origin, requests } = await serve(t, directory, { headers: STRICT });
  assert.equal((await resultOf(origin)).result, EXPECTED);
  assert.deepEqual(filesOf(requests), ['index.js', 'parts.js', 'translated.js']);
});

test('the entry without WebAssembly causes no report of a CSP that forbids it', async (t) => {
  const { directory } = await project(t, {
    ...PLAIN,
    ...withoutInlineScripts,
    'application.js': application('/node_modules/steadfetch/js.js'),
  });
  const { origin, requests } = await serve(t, directory, { headers: STRICT });
  assert.deepEqual(await resultOf(origin), { result: EXPECTED, complaints: [] });
  assert.deepEqual(filesOf(requests), ['js.js']);
});

test('a module service worker whose CSP forbids WebAssembly, the entry without it', async (t) => {
  const { directory } = await project(t, inServiceWorker('js'));
  const { origin } = await serve(t, directory, { headers: STRICT });
  assert.deepEqual(await resultOf(origin), { result: EXPECTED, complaints: [] });
});

/** A CSP of 'self' forbids import maps. */
const withoutInlineScripts = {
  'index.html': page('<script type="module" src="/main.js"></script>'),
  'application.js': application('/node_modules/steadfetch/index.js'),
};

/** The application in a service worker. */
const inServiceWorker = (entry) => ({
  'index.html': page('<script type="module" src="/page.js"></script>'),
  'page.js': `
    navigator.serviceWorker.onmessage = ({ data }) => { globalThis.result = data; };
    await navigator.serviceWorker.register('/worker.js', { type: 'module' });
    (await navigator.serviceWorker.ready).active.postMessage('/api/');
  `,
  'application.js': application(`/node_modules/steadfetch/${entry}.js`),
  'worker.js': `
    import { application } from './application.js';
    onmessage = (event) => event.waitUntil(
      application(new URL(event.data, location.href)).catch(String).then((result) => event.source.postMessage(result)),
    );
  `,
});

test('a module service worker, the inline entry', async (t) => {
  const { directory } = await project(t, inServiceWorker('inline'));
  const { origin } = await serve(t, directory);
  assert.deepEqual(await resultOf(origin), { result: EXPECTED, complaints: [] });
});

test('a module service worker that needs more than the default entry can give is told of the inline one', async (t) => {
  const { directory } = await project(t, inServiceWorker('index'));
  const { origin, requests } = await serve(t, directory);
  assert.match((await resultOf(origin)).result, /failed to load.*service workers.*import steadfetch\/inline\)/u);
  assert.equal(requests.filter((path) => path === '/api/user').length, 1, 'the call without hooks');
});

const VITE = { logLevel: 'error', configFile: false, clearScreen: false };
const VITE_FILES = {
  // Vite has no icon to serve.
  'index.html': page('<link rel="icon" href="data:,">\n<script type="module" src="/main.js"></script>'),
  'main.js': main(),
};

test('Vite, built', async (t) => {
  const place = await project(t, VITE_FILES);
  await viteBuild({ ...VITE, root: place.directory });
  const { origin, requests } = await serve(t, place.path('dist'));
  assert.deepEqual(await resultOf(origin), { result: EXPECTED, complaints: [] });
  const loaded = requests.filter((path) => path.startsWith('/assets/')).map((path) => /([a-z]+)[.-][^/]*$/u.exec(path)[1]);
  assert.deepEqual(loaded.sort(), ['full', 'index', 'parts'], 'not the engine in JavaScript');
  const [script] = (await readdir(place.path('dist/assets'))).filter((name) => name.startsWith('index'));
  const text = await readFile(place.path(`dist/assets/${script}`), 'utf8');
  assert.doesNotMatch(text, /data:text\/javascript/u, 'what is loaded later is a file: a policy may refuse anything else');
  const { size } = await stat(place.path(`dist/assets/${script}`));
  const { size: sparing } = await stat(place.path('node_modules/steadfetch/index.js'));
  assert.ok(size < sparing * 1.1, `${size} bytes of script, ${sparing} of them the package's: the static copies have to go`);
});

test('Vite, a worker that is a module', async (t) => {
  const place = await project(t, {
    'index.html': page('<script type="module" src="/main.js"></script>'),
    'main.js': `
      const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }) => { globalThis.result = data; };
      worker.postMessage(new URL('/api/', location.href).href);
    `,
    'worker.js': `
      import { application } from './application.js';
      onmessage = ({ data }) => application(data).catch(String).then((result) => postMessage(result));
    `,
  });
  await viteBuild({ ...VITE, root: place.directory, worker: { format: 'es' } });
  const { origin } = await serve(t, place.path('dist'));
  assert.deepEqual(await resultOf(origin), { result: EXPECTED, complaints: [] });
});
