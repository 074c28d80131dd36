// A page that begins with the lean engine and comes to need the full one: two instances, each with calls of its own. Made of
// the facade's own modules, since the names by which these know what a call needs are not those of the package.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

import { build } from 'esbuild';

import { fileUrl, packageDirectory, stageDirectory } from '../harness/places.mjs';
import { rejection } from './package.mjs';

const place = await mkdtemp(join(tmpdir(), 'steadfetch-facade-'));
const facade = join(place, 'facade.mjs');
after(() => rm(place, { recursive: true }));
await build({
  stdin: {
    contents: `
      export * from './api.js';
      export { default as provide } from './provide.js';
      export { engines } from './live.js';
      export { setSources } from './load.js';
      export { LEAN, PARTS } from './features.js';
      export { default as parts } from './parts.js';
    `,
    resolveDir: stageDirectory,
  },
  bundle: true,
  format: 'esm',
  outfile: facade,
  logLevel: 'error',
});
const textOf = (name) => readFile(join(packageDirectory, name), 'utf8');
/** The engines as text: the longest literals of the scripts that hold them. */
const [leanText, fullText] = (await Promise.all(['index.js', 'full.js'].map(textOf))).map((script) => /"([^"]{10000,})"/u.exec(script)[1]);
const fullBytes = await readFile(join(packageDirectory, 'steadfetch_bg.wasm'));

/** What the exports of each engine of the present page were called for, and which of them is to trap. */
let hosts;
const RealInstance = WebAssembly.Instance;
WebAssembly.Instance = class {
  constructor(module) {
    const { exports } = new RealInstance(module);
    const host = exports.auth_event ? hosts?.full : hosts?.lean;
    this.exports = { ...exports };
    for (const [name, entry] of Object.entries(exports)) {
      if (!host || typeof entry !== 'function') continue;
      this.exports[name] = (...args) => {
        host.told.push(name);
        if (host.trap === name) throw new WebAssembly.RuntimeError('unreachable');
        return entry(...args);
      };
    }
  }
};

let pages = 0;

/** A promise with its handles outside. */
function deferred() {
  const handles = {};
  handles.promise = new Promise((resolve, reject) => Object.assign(handles, { resolve, reject }));
  return handles;
}

/** The facade as a page has it that has just been loaded, and what it loads. */
async function page() {
  const lib = await import(`${fileUrl(facade)}?${++pages}`);
  const [lean, full] = [{ told: [] }, { told: [], loads: 0 }];
  hosts = { lean, full };
  let copies = 0;
  lib.setSources({
    inside_: leanText,
    holds_: lib.LEAN,
    chunks_: { [lib.PARTS]: () => lib.parts(lib.provide) },
    async full_() {
      full.loads += 1;
      await full.until;
      if (full.isMissing) throw new Error('status 404');
      return fullText;
    },
    async translated_() {
      copies += 1;
      throw new Error('no copy');
    },
  });
  const requests = new Map();
  /** What becomes of the request for a path: `sent` when it is. */
  const request = (path) => {
    if (!requests.has(path)) requests.set(path, { sent: deferred(), answer: deferred() });
    return requests.get(path);
  };
  const fetch = (url, { signal }) => {
    const { sent, answer } = request(url.split('/').at(-1));
    sent.resolve();
    signal.addEventListener('abort', () => answer.reject(signal.reason));
    return answer.promise;
  };
  const options = { baseUrl: 'http://a.test/', fetch };
  return {
    ...lib,
    lean,
    full,
    copies: () => copies,
    sent: (path) => request(path).sent.promise,
    async answer(path) {
      await request(path).sent.promise;
      request(path).answer.resolve(new Response('{"a":1}'));
    },
    starts: () => [lean, full].map(({ told }) => told.filter((name) => name === 'start').length),
    leanClient: (more) => lib.createClient({ ...options, ...more }),
    fullClient: (more) => lib.createClient({ ...options, queue: { concurrency: 100 }, ...more }),
  };
}

const GOOD = { a: 1 };
const codeOf = async (p, promise) => p.errorInfo(await rejection(promise)).code;

/** A page whose lean instance has the call `old` when the full one starts with the call `new`. */
async function takenOver() {
  const p = await page();
  const lean = p.leanClient();
  const old = lean.get('old').json();
  await p.sent('old');
  const other = p.fullClient().get('new').json();
  await p.sent('new');
  for (const call of [old, other]) call.catch(() => {});
  return { p, lean, old, other };
}

describe('instances', { concurrency: false }, () => {
  it('loads nothing for those who do without the full one', async () => {
    const p = await page();
    const call = p.leanClient().get('a').json();
    await p.answer('a');
    assert.deepEqual(await call, GOOD);
    assert.deepEqual([p.full.loads, p.copies()], [0, 0]);
  });

  it('loads the full one with ready, if a client needs it', async () => {
    const p = await page();
    p.fullClient();
    await p.ready();
    assert.equal(p.full.loads, 1);
  });

  it('does not let those wait for the full module who do without', async () => {
    const p = await page();
    const fullCame = deferred();
    p.full.until = fullCame.promise;
    const one = p.leanClient().get('one').json();
    const two = p.fullClient().get('two').json();
    await p.answer('one');
    assert.deepEqual(await one, GOOD);
    assert.deepEqual(p.starts(), [1, 0]);
    fullCame.resolve();
    await p.answer('two');
    assert.deepEqual(await two, GOOD);
    assert.deepEqual(p.starts(), [1, 1]);
    assert.equal(p.full.loads, 1);
  });

  it('lets the lean one end its calls while the full one takes all new ones', async () => {
    const { p, lean, old, other } = await takenOver();
    assert.equal(p.engines.size, 2);
    const newer = lean.get('newer').json();
    await p.answer('newer');
    assert.deepEqual(await newer, GOOD);
    assert.deepEqual(p.starts(), [1, 2]);
    await p.answer('old');
    assert.deepEqual(await old, GOOD);
    assert.equal(p.engines.size, 1, 'the lean one is dropped');
    await p.answer('new');
    assert.deepEqual(await other, GOOD);
  });

  it('drops a lean one that has no calls at once', async () => {
    const p = await page();
    const old = p.leanClient().get('old').json();
    await p.answer('old');
    await old;
    const other = p.fullClient().get('new').json();
    await p.answer('new');
    await other;
    assert.deepEqual(p.starts(), [1, 1]);
    assert.equal(p.engines.size, 1);
  });

  it('keeps the timer of each', async () => {
    const p = await page();
    const old = codeOf(p, p.leanClient({ timeout: 50 }).get('old').json());
    await p.sent('old');
    const full = p.fullClient({ timeout: 100 });
    const other = codeOf(p, full.get('new').json());
    assert.deepEqual(await Promise.all([old, other]), ['TIMEOUT', 'TIMEOUT']);
    assert.deepEqual(p.starts(), [1, 1]);
    assert.equal(p.engines.size, 1);
  });

  it('aborts a call in the one that only ends its calls', async () => {
    const { p, lean, old, other } = await takenOver();
    lean.abortAll('mine');
    assert.equal(await codeOf(p, old), 'ABORTED');
    await p.answer('new');
    assert.deepEqual(await other, GOOD);
  });

  it('lets the lean one die alone', async () => {
    const { p, lean, old, other } = await takenOver();
    p.lean.trap = 'head';
    await p.answer('old');
    assert.equal(await codeOf(p, old), 'ENGINE_DEAD');
    await p.answer('new');
    assert.deepEqual(await other, GOOD);
    const newer = lean.get('newer').json();
    await p.answer('newer');
    assert.deepEqual(await newer, GOOD);
    assert.deepEqual(p.starts(), [1, 2]);
    assert.equal(p.engines.size, 1);
  });

  it('lets the full one die alone, and be reborn', async () => {
    const { p, lean, old, other } = await takenOver();
    p.full.trap = 'head';
    await p.answer('new');
    assert.equal(await codeOf(p, other), 'ENGINE_DEAD');
    p.full.trap = undefined;
    const newer = lean.get('newer').json();
    await p.answer('newer');
    assert.deepEqual(await newer, GOOD);
    assert.deepEqual([p.starts(), p.full.told.filter((name) => name === 'setup').length], [[1, 2], 2]);
    await p.answer('old');
    assert.deepEqual(await old, GOOD);
  });

  it('calls one out of what the other does', async () => {
    const p = await page();
    const inner = [];
    let full;
    const lean = p.leanClient({
      onEvent({ type }) {
        if (type === 'call-end') inner.push(full.get('inner').json());
      },
    });
    const old = lean.get('old').json();
    await p.sent('old');
    full = p.fullClient();
    const other = full.get('new').json();
    await p.answer('new');
    await other;
    await p.answer('old');
    assert.deepEqual(await old, GOOD);
    await p.answer('inner');
    assert.deepEqual(await Promise.all(inner), [GOOD]);
    assert.deepEqual(p.starts(), [1, 2]);
    assert.equal(p.engines.size, 1);
  });

  it('tells both that the page is left', async () => {
    const target = new EventTarget();
    globalThis.addEventListener = target.addEventListener.bind(target);
    try {
      const { p, old, other } = await takenOver();
      const told = () => [p.lean, p.full].map((host) => host.told.filter((name) => name === 'hidden').length);
      const before = told();
      target.dispatchEvent(new Event('pagehide'));
      assert.deepEqual(told(), before.map((count) => count + 1));
      for (const path of ['old', 'new']) await p.answer(path);
      await Promise.allSettled([old, other]);
    } finally {
      delete globalThis.addEventListener;
    }
  });

  it('fails those alone who need the full module, if it cannot be had, and loads it anew for the next', async () => {
    const p = await page();
    const lean = p.leanClient();
    const old = lean.get('old').json();
    await p.sent('old');
    p.full.isMissing = true;
    const full = p.fullClient();
    assert.equal(await codeOf(p, full.get('new').json()), 'LOAD_FAILED');
    assert.equal(p.copies(), 1);
    await p.answer('old');
    assert.deepEqual(await old, GOOD);
    const next = lean.get('next').json();
    await p.answer('next');
    assert.deepEqual(await next, GOOD);
    p.full.isMissing = false;
    const again = full.get('again').json();
    await p.answer('again');
    assert.deepEqual(await again, GOOD);
    assert.deepEqual([p.starts(), p.full.loads], [[2, 1], 2]);
  });

  it('bears to be told of an auth object that is gone, which the lean module knows nothing of', async () => {
    const { p, old, other } = await takenOver();
    for (const instance of p.engines) instance.ask_('drop_auth', 1);
    for (const path of ['old', 'new']) await p.answer(path);
    assert.deepEqual([await old, await other], [GOOD, GOOD]);
  });

  it('takes the module that init is given for all there is', async () => {
    const p = await page();
    await p.init(fullBytes);
    const [some, other] = [p.leanClient().get('some').json(), p.fullClient().get('new').json()];
    for (const path of ['some', 'new']) await p.answer(path);
    assert.deepEqual([await some, await other], [GOOD, GOOD]);
    assert.equal(p.full.loads, 0);
    assert.deepEqual(p.starts(), [0, 2]);
  });
});
