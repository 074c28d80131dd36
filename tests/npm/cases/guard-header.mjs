// The header that tells the server how much time is left, and where it is sent.

import { BROWSERS, RUNTIMES } from '../harness/hosts.mjs';

const NAME = 'x-time-left';
const valueOf = (entry) => entry.headers[NAME];

export default [
  {
    name: 'deadline header: what remains of the total time, less the reserve, in every attempt',
    async run(t) {
      await t.home.script({ '/a': [{ status: 503 }, { status: 503 }, { json: { a: 1 } }] });
      const api = t.client({ totalTimeout: 4_000, reserve: 500, deadlineHeader: NAME, retry: { limit: 2, delay: 200, jitter: 'none', statusCodes: [503] } });
      t.same(await t.works(() => api.get('a', { headers: { 'x-a': 'b' } }).json()), { a: 1 });
      const { log } = await t.home.report();
      const values = log.map(valueOf);
      for (const value of values) t.match(value, /^\d+$/, 'milliseconds, a duration');
      t.between(Number(values[0]), 3_000, 3_500, 'of the first attempt');
      t.between(values[0] - values[1], 199, 1_000, 'the backoff of 200 ms');
      t.between(values[1] - values[2], 399, 1_500, 'the backoff of 400 ms');
      t.same(log.map(({ headers }) => headers['x-a']), ['b', 'b', 'b'], 'other headers');
    },
  },
  {
    name: 'deadline header: same-origin, with every way to make a request',
    async run(t) {
      await t.home.script({ '*': { json: {} } });
      const api = t.client({ deadlineHeader: NAME, totalTimeout: 5_000 });
      const url = t.home.url('/a');
      await t.works(() => api.get('a').json());
      await t.works(() => api.post('a', { json: { a: 1 } }).json());
      await t.read(() => api.fetch('a'));
      await t.read(() => api.fetch(new Request(url, { headers: { 'x-a': 'b' } })));
      await t.read(() => api.fetch(new Request(url, { method: 'PUT', body: 'x', headers: { 'x-a': 'b' } })));
      await t.works(() => api.get('a', { headers: new Headers({ 'x-a': 'b' }) }).json());
      await t.works(() => api.get('a', { headers: () => ({ 'x-a': 'b' }) }).json());
      await t.works(() => api.get('a', { hooks: { beforeRequest: [({ request }) => { request.headers.set('x-a', 'b'); }] } }).json());
      await t.works(() => t.client().get('a', { deadlineHeader: { name: NAME } }).json());
      await t.works(() => t.client({ totalTimeout: false, deadlineHeader: NAME }).get('a').json());
      await t.works(() => t.client().get('a').json());
      const { log } = await t.home.report();
      t.same(log.map((entry) => valueOf(entry) !== undefined), [...Array(9).fill(true), false, false], 'where it is');
      t.same(log.slice(3, 8).map(({ headers }) => headers['x-a']), Array(5).fill('b'), 'other headers');
      t.equal(log[4].body, 'x', 'the body of the Request');
      for (const entry of log.slice(0, 8)) t.between(Number(valueOf(entry)), 1, 5_000, 'its value');
    },
  },
  {
    name: 'deadline header: without a page the home is the origin of baseUrl, and without that there is none',
    hosts: RUNTIMES,
    async run(t) {
      await t.home.script({ '*': { json: {} } });
      const other = await t.open({ script: { '*': { json: {} } } });
      const options = { totalTimeout: 5_000, deadlineHeader: NAME };
      await t.works(() => t.client(options).get('a').json());
      await t.works(() => t.client({ ...options, baseUrl: `${t.home.origin}/b/` }).get('a').json());
      for (const client of [t.client(options), t.client({ ...options, deadlineHeader: { name: NAME, crossOrigin: true } }), t.lib.createClient(options)]) {
        await t.works(() => client.get(other.url('/a')).json());
      }
      t.same((await t.home.report()).log.map((entry) => valueOf(entry) !== undefined), [true, true], 'at home');
      t.same((await other.report()).log.map((entry) => valueOf(entry) !== undefined), [false, true, true], 'elsewhere');
    },
  },
  {
    name: 'A08 the deadline header is not sent to other origins, unless it is asked for: then a refused preflight names it',
    hosts: BROWSERS,
    async run(t) {
      const strict = { preflight: { allowHeaders: [] }, json: { a: 1 } };
      const other = await t.open({ script: { '*': strict } });
      for (const deadlineHeader of [NAME, { name: NAME }, { name: NAME, crossOrigin: false }]) {
        const api = t.client({ baseUrl: other.origin, deadlineHeader });
        t.same(await t.works(() => api.get('a').json()), { a: 1 });
        t.same(await t.works(() => api.post('a', { body: 'x' }).json()), { a: 1 });
      }
      const { preflights, log } = await other.report();
      t.equal(preflights, 0, 'OPTIONS');
      for (const entry of log) t.equal(valueOf(entry), undefined, 'the header');
      const api = t.client({ baseUrl: other.origin, deadlineHeader: { name: NAME, crossOrigin: true } });
      for (const method of ['get', 'post']) {
        const error = await t.fails(() => api[method]('b').json(), { code: 'NETWORK_ERROR', hint: 'non-safelisted-headers' });
        t.ok(error.message.includes(NAME), `the name: ${error.message}`);
      }
      const auth = { getToken: () => 'S3CRET', refreshToken: () => null, header: 'X-Token', origins: [other.origin] };
      const error = await t.fails(() => t.client({ auth }).get(other.url('/b')).json(), { code: 'NETWORK_ERROR', hint: 'non-safelisted-headers' });
      t.ok(error.message.includes('x-token') && !error.message.includes('S3CRET'), error.message);
      const after = await other.report();
      t.equal(after.log.filter(({ url }) => url === '/b').length, 0, 'requests after a refused preflight');
      const willing = await t.open({ script: { '*': { json: { a: 1 } } } });
      t.same(await t.works(() => api.get(willing.url('/a')).json()), { a: 1 });
      const report = await willing.report();
      t.equal(report.preflights, 1, 'OPTIONS where it is allowed');
      t.between(Number(valueOf(report.log[0])), 1, 8_000, 'its value');
    },
  },
];
