// The engine: where it comes from, and what calls do when it cannot be had. The entry holds the lean one; a queue needs the full one.

import { BROWSERS } from '../harness/hosts.mjs';

/** For `init`. */
const WASM = '/pkg/steadfetch_bg.wasm';
const FULL = '/pkg/full.js';
/** Options that the lean engine knows nothing of. */
const queue = { concurrency: 6 };

/** The package, not yet loaded. */
const fresh = (t) => import(t.env.modules.package);

const answers = { '/api/*': { json: { a: 1 } } };

/** How often the file of the full engine was asked for. */
async function loads(t) {
  const { otherLog, log } = await t.home.report();
  return [...otherLog, ...log].filter(({ url }) => url.endsWith(FULL)).length;
}

/** Whether the package works in this page. */
async function smoke(t, lib, options) {
  const api = lib.createClient({ baseUrl: t.home.url('/api/'), ...options });
  t.same(await t.works(() => api.get('a').json()), { a: 1 });
}

/** What the package's own server makes of the full engine's file, time by time; there is no engine in JavaScript. */
const noFile = (steps, more = [{ path: '/pkg/translated.js', steps: [{ status: 404 }] }]) => ({ routes: [
  { path: FULL, steps },
  ...more,
  { path: '/api/*', steps: [{ json: { a: 1 } }] },
] });

async function withoutEngine(t, body) {
  t.lib = await fresh(t);
  await body(t.lib);
}

export default [
  {
    name: 'N08 calls load the engine by themselves, once',
    load: false,
    async run(t) {
      await t.home.script(answers);
      t.lib = await fresh(t);
      const api = t.lib.createClient({ baseUrl: t.home.url('/api/'), queue });
      const all = await t.works(() => Promise.all(Array.from({ length: 5 }, () => api.get('a').json())));
      t.equal(all.length, 5);
      t.equal(t.memory.instances(), 1, 'instances');
      if (t.inBrowser) t.equal(await loads(t), 1, 'requests for the file');
    },
  },
  {
    name: 'N08 init and ready, twice and at once',
    load: false,
    async run(t) {
      await t.home.script(answers);
      t.lib = await fresh(t);
      const { createClient, init, ready } = t.lib;
      createClient({ queue });
      await t.works(() => Promise.all([init(), ready(), init(), ready(), init()]));
      await smoke(t, t.lib);
      await t.works(() => init());
      await smoke(t, t.lib);
      t.equal(t.memory.instances(), 1, 'instances');
      if (t.inBrowser) t.equal(await loads(t), 1, 'requests for the file');
    },
  },
  {
    name: 'N08 init after use keeps what calls are under way',
    load: false,
    async run(t) {
      await t.home.script({ '/api/a': { gate: 'go', json: { a: 1 } } });
      t.lib = await fresh(t);
      const api = t.lib.createClient({ baseUrl: t.home.url('/api/') });
      const call = api.get('a').json();
      await t.home.wait({ requests: 1 });
      await t.works(() => t.lib.init());
      await t.home.release('go');
      t.same(await t.works(() => call), { a: 1 });
      t.equal(t.memory.instances(), 1, 'instances');
    },
  },
  {
    name: 'N08 init with a bad URL, then with a good one',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script({ '/nowhere.wasm': { status: 404 }, ...answers });
      t.lib = await fresh(t);
      const error = await t.fails(() => t.lib.init('/nowhere.wasm'), { code: 'LOAD_FAILED', outcome: 'not-sent' });
      t.ok(error.message.length > 20, 'the message says more');
      await t.works(() => t.lib.init(WASM));
      await smoke(t, t.lib);
      t.equal(t.memory.instances(), 1, 'instances');
    },
  },
  {
    name: 'init takes bytes, a module, a response, and promises of them',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script(answers);
      const sources = {
        bytes: async () => new Uint8Array(await (await fetch(WASM)).arrayBuffer()),
        buffer: async () => (await fetch(WASM)).arrayBuffer(),
        module: async () => WebAssembly.compileStreaming(fetch(WASM)),
        response: () => fetch(WASM),
        URL: () => new URL(WASM, location.href),
        string: () => new URL(WASM, location.href).href,
      };
      for (const [name, source] of Object.entries(sources)) {
        const lib = await import(`${t.env.modules.package}?${name}`);
        const before = t.memory.instances();
        await t.works(() => lib.init(name.length % 2 ? source() : (async () => source())()));
        await smoke(t, lib);
        t.equal(t.memory.instances(), before + 1, `instances, ${name}`);
      }
    },
  },
  {
    name: 'init takes bytes in Node too',
    hosts: ['node'],
    load: false,
    async run(t) {
      await t.home.script(answers);
      const { readFile } = await import('node:fs/promises');
      t.lib = await fresh(t);
      await t.fails(() => t.lib.init(new Uint8Array([1, 2, 3])), { code: 'LOAD_FAILED' });
      await t.works(() => t.lib.init(readFile(new URL('./steadfetch_bg.wasm', t.env.modules.package))));
      await smoke(t, t.lib);
    },
  },
  {
    name: 'a wrong type, a page in place of the file, a missing file, another version: the engine in JavaScript takes over',
    hosts: BROWSERS,
    async run(t) {
      const script = (body) => ({ body, headers: { 'content-type': 'text/javascript' } });
      const rows = {
        type: { static: true, headers: { 'content-type': 'application/octet-stream' } },
        page: { body: '<!doctype html><title>index</title>', headers: { 'content-type': 'text/html' } },
        missing: { status: 404, body: 'no' },
        broken: script('export default "no module";'),
        cut: { chunks: [{ bytes: 100 }], end: 'cut', headers: { 'content-type': 'text/javascript' } },
        // A module without a single export: \0asm, version 1.
        version: script('export default "# - @ 9%###";'),
      };
      for (const [row, step] of Object.entries(rows)) {
        await t.home.script(noFile([step], []));
        const lib = await import(`${t.env.modules.package}?${row}`);
        await smoke(t, lib, { queue });
      }
    },
  },
  {
    name: 'without the file and all that stands for it calls are LOAD_FAILED, and the next call loads anew',
    // Firefox remembers a script that could not be had, until the page is loaded again.
    hosts: BROWSERS.filter((host) => host !== 'firefox'),
    load: false,
    async run(t) {
      await t.home.script(noFile([{ status: 404 }, { static: true }]));
      await withoutEngine(t, async (lib) => {
        const api = lib.createClient({ baseUrl: t.home.url('/api/'), queue });
        const [one, two] = [api.get('a').json(), api.fetch('a')];
        const error = await t.fails(() => one, { code: 'LOAD_FAILED', outcome: 'not-sent', phase: 'load' });
        t.same(error.attempts, [], 'attempts');
        await t.fails(() => two, { code: 'LOAD_FAILED' });
        t.equal(t.unhandled.length, 0, 'unhandled rejections');
        await smoke(t, lib);
        t.same(await t.works(() => api.get('a').json()), { a: 1 }, 'the next call');
      });
    },
  },
  {
    name: 'while the engine loads, deadline and signal hold',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script(noFile([{ gate: 'load', static: true }]));
      await withoutEngine(t, async (lib) => {
        const api = lib.createClient({ baseUrl: t.home.url('/api/'), queue });
        const controller = new AbortController();
        const aborted = api.get('a', { signal: controller.signal }).json();
        aborted.catch(() => {});
        await t.fails(() => api.get('a', { totalTimeout: 200 }).json(), {
          code: 'DEADLINE_EXCEEDED', phase: 'load', outcome: 'not-sent', limit: 200,
        }, [200, 300]);
        controller.abort('gone');
        await t.fails(() => aborted, { code: 'ABORTED', cause: 'gone', phase: 'load', outcome: 'not-sent' }, [0, 20]);
        const waiting = api.get('a').json();
        await t.home.release('load');
        t.same(await t.works(() => waiting), { a: 1 });
        t.equal((await t.home.report()).log.filter(({ url }) => url === '/api/a').length, 1, 'requests');
      });
    },
  },
  {
    name: 'B11 loading is shared: a call that leaves takes nothing from the others',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script(noFile([{ gate: 'load', static: true }]));
      await withoutEngine(t, async (lib) => {
        const api = lib.createClient({ baseUrl: t.home.url('/api/'), queue });
        const controller = new AbortController();
        const a = api.get('a', { signal: controller.signal }).json();
        const others = ['b', 'c'].map((path) => api.get(path).json());
        controller.abort('gone');
        await t.fails(() => a, { code: 'ABORTED', outcome: 'not-sent', phase: 'load', cause: 'gone' });
        await t.home.release('load');
        t.same(await t.works(() => Promise.all(others)), [{ a: 1 }, { a: 1 }]);
      });
    },
  },
  {
    name: 'the time of loading is part of the total',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script({ routes: [
        { path: FULL, steps: [{ delay: 300, static: true }] },
        { path: '/api/*', steps: [{ before: 'hang' }] },
      ] });
      await withoutEngine(t, async (lib) => {
        const api = lib.createClient({ baseUrl: t.home.url('/api/'), totalTimeout: 600, queue });
        const error = await t.fails(() => api.get('a').json(), { code: 'DEADLINE_EXCEEDED', phase: 'headers' }, [600, 700]);
        t.between(error.elapsedMs, 600, 700 + t.slack, 'elapsedMs');
      });
    },
  },
  {
    name: 'N12 a page whose policy allows no wasm has the engine in JavaScript',
    hosts: BROWSERS,
    load: false,
    home: { staticHeaders: { 'content-security-policy': "script-src 'self'" } },
    async run(t) {
      await t.home.script(answers);
      await withoutEngine(t, (lib) => smoke(t, lib));
      t.equal(t.memory.instances(), 0, 'instances of WebAssembly');
    },
  },
  {
    name: 'N12 a page whose policy allows no wasm: init says so',
    hosts: BROWSERS,
    load: false,
    home: { staticHeaders: { 'content-security-policy': "script-src 'self'" } },
    async run(t) {
      const { init } = await fresh(t);
      t.lib = await fresh(t);
      const error = await t.fails(() => init(WASM), { code: 'LOAD_FAILED', outcome: 'not-sent', hint: 'csp' });
      t.match(error.message, /'wasm-unsafe-eval'.* or import steadfetch\/js/, 'the message names both ways out');
    },
  },
  {
    name: 'N12 a page whose policy allows no wasm: the inline entry, which has no engine in JavaScript, says so',
    hosts: BROWSERS,
    load: false,
    home: { staticHeaders: { 'content-security-policy': "script-src 'self'" } },
    async run(t) {
      t.lib = await import(t.env.modules.package.replace(/[^/]+$/, 'inline.js'));
      const api = t.lib.createClient({ baseUrl: t.home.url('/api/') });
      const error = await t.fails(() => api.get('a').json(), { code: 'LOAD_FAILED', phase: 'load', outcome: 'not-sent', hint: 'csp' });
      t.match(error.message, /'wasm-unsafe-eval'.* or import steadfetch\/js/, 'the message names both ways out');
    },
  },
  {
    name: 'N12 a worker whose policy allows no wasm has the engine in JavaScript',
    hosts: BROWSERS,
    load: false,
    home: { staticHeaders: { 'content-security-policy': "script-src 'self'" } },
    async run(t) {
      await t.home.script(answers);
      const worker = new Worker('/npm/harness/in-worker.mjs', { type: 'module' });
      const answer = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
      worker.postMessage({ module: t.env.modules.package, url: t.home.url('/api/a') });
      t.same(await t.works(() => answer), [{ a: 1 }, { a: 1 }], 'what it heard');
      worker.terminate();
    },
  },
  {
    name: "N12 a page whose policy allows wasm, but no eval",
    hosts: BROWSERS,
    load: false,
    home: { staticHeaders: { 'content-security-policy': "script-src 'self' 'wasm-unsafe-eval'" } },
    async run(t) {
      await t.home.script(answers);
      await withoutEngine(t, (lib) => smoke(t, lib));
    },
  },
  {
    name: 'a page left before the engine is there',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script(noFile([{ gate: 'load', static: true }]));
      await withoutEngine(t, async (lib) => {
        const call = lib.createClient({ baseUrl: t.home.url('/api/'), queue }).get('a').json();
        call.catch(() => {});
        dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
        await t.home.release('load');
        await t.fails(() => call, { code: 'ABORTED', outcome: 'not-sent' });
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
        await smoke(t, lib, { queue });
      });
    },
  },
  {
    name: 'a service worker, which cannot import(), has what the entry holds, is told of the inline entry for the rest, and that one works',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      const inline = t.env.modules.package.replace(/[^/]+$/, 'inline.js');
      const worker = (module) => ({
        body: `
          import { createClient } from ${JSON.stringify(module)};
          addEventListener('message', ({ data: { url, options }, source }) => createClient(options).get(url).json().then(
            (value) => source.postMessage({ value }),
            ({ code, outcome, message }) => source.postMessage({ code, outcome, message }),
          ));
        `,
        headers: { 'content-type': 'text/javascript' },
      });
      await t.home.script(noFile([{ static: true }], [
        { path: '/default/worker.js', steps: [worker(t.env.modules.package)] },
        { path: '/inline/worker.js', steps: [worker(inline)] },
      ]));
      const told = {};
      for (const entry of ['default', 'inline']) {
        const registration = await navigator.serviceWorker.register(`/${entry}/worker.js`, { type: 'module' });
        const started = registration.installing ?? registration.waiting ?? registration.active;
        const ask = (options) => t.works(() => new Promise((resolve) => {
          navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data), { once: true });
          started.postMessage({ url: t.home.url('/api/a'), options });
        }));
        told[entry] = [await ask({}), await ask({ queue })];
        await registration.unregister();
      }
      const [plain, queued] = told.default;
      t.same(plain, { value: { a: 1 } }, 'the default entry');
      t.same([queued.code, queued.outcome], ['LOAD_FAILED', 'not-sent'], 'the default entry, with a queue');
      t.match(queued.message, /steadfetch\/inline/, 'the message names the way out');
      t.same(told.inline, [{ value: { a: 1 } }, { value: { a: 1 } }], 'the inline entry');
    },
  },
];
