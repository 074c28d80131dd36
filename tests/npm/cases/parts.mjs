// What a page downloads: what its clients use, and no more.

import { BROWSERS } from '../harness/hosts.mjs';

const PARTS = '/pkg/parts.js';
const answers = { '/api/*': { json: { a: 1 } } };
const hooks = { beforeRequest: [({ request }) => request.headers.set('x-a', '1')] };

/** The files of the package that were asked for, beside the entry. */
async function files(t) {
  const { otherLog, log } = await t.home.report();
  const names = [...otherLog, ...log].map(({ url }) => url.split('/pkg/')[1]).filter((name) => name && !t.env.modules.package.endsWith(`/${name}`));
  return names.sort();
}

/** What the package's own server has to say about `parts.js`, time by time. */
const withParts = (...steps) => ({ routes: [{ path: PARTS, steps }, { path: '/api/*', steps: [{ json: { a: 1 } }] }] });

async function fresh(t) {
  t.lib = await import(t.env.modules.package);
  return (options) => t.lib.createClient({ baseUrl: t.home.url('/api/'), ...options });
}

export default [
  {
    name: 'clients that need nothing special load nothing',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script(answers);
      const client = await fresh(t);
      const api = client({ retry: { limit: 1, delay: 1 }, throwHttpErrors: () => true, onEvent: () => {}, hooks: { beforeRequest: [] }, headers: { 'x-a': '1' } });
      await t.works(() => Promise.all([api.get('a').json(), api.fetch('a').then((got) => got.text()), t.lib.ready()]));
      t.same(await files(t), []);
    },
  },
  {
    name: 'hooks, progress, and functions for headers or retries load parts.js, once',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script(answers);
      const client = await fresh(t);
      const one = client({ hooks });
      const two = client({ headers: () => ({ 'x-a': '2' }) });
      const progress = [];
      const three = client({ onDownloadProgress: ({ transferredBytes }) => progress.push(transferredBytes) });
      const four = client({ retry: { shouldRetry: () => false } });
      const all = [one, two, one, three, four].map((api) => api.get('a').json());
      all.push(client().get('a', { hooks }).json());
      for (const got of await t.works(() => Promise.all(all))) t.same(got, { a: 1 });
      t.same(await files(t), ['parts.js']);
      const seen = (await t.home.report()).log.map(({ headers }) => headers['x-a']).filter(Boolean);
      t.same(seen.sort(), ['1', '1', '1', '2'], 'what the hooks did');
      t.ok(progress.at(-1) > 0, `progress: ${progress}`);
    },
  },
  {
    name: 'an idempotency key loads writes.js, once, and nothing else',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script({ 'POST /api/*': { json: { a: 1 } } });
      const client = await fresh(t);
      const api = client({ idempotencyKey: 'auto' });
      const all = [api.post('a'), client().post('a', { idempotencyKey: 'k' })].map((call) => call.json());
      for (const got of await t.works(() => Promise.all(all))) t.same(got, { a: 1 });
      t.same(await files(t), ['writes.js']);
      const keys = (await t.home.report()).log.map(({ headers }) => headers['idempotency-key']).filter(Boolean);
      t.equal(keys.length, 2, 'keys');
    },
  },
  {
    name: 'G01 a lookup of the outcome loads the full engine and writes.js, once, and settles a write whose answer comes too late',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script({ 'POST /api/*': { delay: 5_000, json: {} }, '/operations/*': { json: { id: 7 } } });
      const client = await fresh(t);
      const outcomeLookup = { url: (key) => t.home.url(`/operations/${encodeURIComponent(key)}`) };
      const api = client({ idempotencyKey: 'auto', headersTimeout: 300, outcomeLookup });
      const response = await t.works(() => api.post('a', { json: {} }));
      t.same(await response.json(), { id: 7 });
      t.equal(t.lib.callInfo(response).via, 'lookup', 'via');
      t.same(await files(t), ['full.js', 'writes.js']);
      const { log } = await t.home.report();
      const sent = log.filter(({ url }) => !url.includes('/pkg/'));
      t.same(sent.map(({ method }) => method), ['POST', 'GET'], 'sent');
      const key = sent[0].headers['idempotency-key'];
      t.ok(sent[1].url.endsWith(encodeURIComponent(key)), sent[1].url);
    },
  },
  {
    name: 'a queue, a circuit breaker and auth load the full engine too, once',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script(answers);
      const client = await fresh(t);
      const all = [{ queue: { concurrency: 6 } }, { circuitBreaker: {} }, { auth: { getToken: () => 't', refreshToken: () => 'u' } }];
      for (const got of await t.works(() => Promise.all(all.map((options) => client(options).get('a').json())))) t.same(got, { a: 1 });
      t.same(await t.works(() => client().get('a').json()), { a: 1 });
      t.same(await files(t), ['full.js', 'parts.js']);
    },
  },
  {
    name: 'ready loads what the clients that there are will need',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script(answers);
      const client = await fresh(t);
      client().extend({ hooks });
      await t.works(() => t.lib.ready());
      t.same(await files(t), ['parts.js']);
    },
  },
  {
    name: 'who needs no parts does not wait for them',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script(withParts({ gate: 'parts', static: true }));
      const client = await fresh(t);
      const hooked = client({ hooks }).get('a').json();
      t.same(await t.works(() => client().get('a').json()), { a: 1 });
      await t.fails(() => client({ hooks, totalTimeout: 200 }).get('a').json(), {
        code: 'DEADLINE_EXCEEDED', phase: 'load', outcome: 'not-sent',
      }, [200, 300]);
      await t.home.release('parts');
      t.same(await t.works(() => hooked), { a: 1 });
    },
  },
  {
    name: 'without parts.js a call that needs it is LOAD_FAILED, and the others work',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script(withParts({ status: 404 }));
      const client = await fresh(t);
      const expected = { code: 'LOAD_FAILED', phase: 'load', outcome: 'not-sent' };
      await t.fails(() => client({ hooks }).get('a').json(), expected);
      t.same(await t.works(() => client().get('a').json()), { a: 1 });
      t.equal((await t.home.report()).log.filter(({ url }) => url === '/api/a').length, 1, 'requests');
      t.equal(t.unhandled.length, 0, 'unhandled rejections');
    },
  },
  {
    name: 'the call after a failed load of parts.js loads it anew',
    // Firefox remembers a module that could not be had, until the page is loaded again.
    hosts: BROWSERS.filter((host) => host !== 'firefox'),
    load: false,
    async run(t) {
      await t.home.script(withParts({ status: 404 }, { static: true }));
      const api = (await fresh(t))({ hooks });
      await t.fails(() => api.get('a').json(), { code: 'LOAD_FAILED' });
      t.same(await t.works(() => api.get('a').json()), { a: 1 });
    },
  },
];
