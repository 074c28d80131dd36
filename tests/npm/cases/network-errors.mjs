// What Node, Deno and Bun say of a network error, and which requests no platform ever sends.

import { BROWSERS, NODE, RUNTIMES, except } from '../harness/hosts.mjs';

/** Deno says it in words only. */
const codeIn = (t, code) => (t.host === 'deno' ? undefined : code);

/** Runs with a global fetch that rejects with `error.now`. */
async function rejecting(t, run) {
  const error = {};
  const spied = t.spy(globalThis, 'fetch', () => async () => {
    throw error.now;
  });
  try {
    await run(error);
  } finally {
    spied.restore();
  }
}

export default [
  {
    name: 'a refused connection and an unknown host mean that nothing was sent, and the cause names the system code',
    hosts: RUNTIMES,
    async run(t) {
      const down = await t.open({ refuse: true });
      // Bun does not say whether a redirect came before.
      const api = t.client({ redirect: 'error', retry: 3 });
      const rows = [
        [down.url('/a?token=hunter2'), /^ECONNREFUSED$/],
        ['http://no-such-host.invalid/a?token=hunter2', /^(ENOTFOUND|EAI_AGAIN)$/],
      ];
      for (const [url, code] of rows) {
        for (const call of [(more) => api.post(url, more), (more) => api.fetch(url, { method: 'POST', ...more })]) {
          const error = t.info(await t.fails(() => call({}), { code: 'NETWORK_ERROR', outcome: 'not-sent', retryStopped: 'method' }));
          t.same(error.attempts.map(({ outcome }) => outcome), ['not-sent'], url);
          if (t.host === 'deno') t.equal(error.cause.code, undefined);
          else t.ok(code.test(error.cause.code) && error.message.includes(error.cause.code), `${error.cause.code}: ${error.message}`);
          t.lacks(`${error.cause} ${JSON.stringify(error.cause)} ${error.cause.stack} ${error.message} ${JSON.stringify(error)}`, 'hunter2', url);
        }
        const repeated = await t.fails(() => api.get(url, { retry: { limit: 2, delay: 1 } }), { code: 'NETWORK_ERROR', outcome: 'not-sent' });
        t.same(repeated.attempts.map(({ outcome }) => outcome), ['not-sent', 'not-sent', 'not-sent'], 'retried as any network error');
      }
    },
  },
  {
    name: 'a connection that is lost, or refused only after a redirect, leaves the outcome unknown',
    hosts: RUNTIMES,
    async run(t) {
      const down = await t.open({ refuse: true });
      await t.home.script({
        '/reset': { readBody: 'first', before: 'reset' },
        '/away': { status: 302, headers: { location: down.url('/b') } },
      });
      const api = t.client();
      const reset = await t.fails(() => api.post('reset', { body: 'a' }), { code: 'NETWORK_ERROR', outcome: 'unknown' });
      if (t.host === 'node') t.match(reset.cause.code, /^(UND_ERR_SOCKET|ECONNRESET)$/);
      const away = await t.fails(() => api.post('away', { body: 'a' }), { code: 'NETWORK_ERROR', outcome: 'unknown' });
      t.equal(away.cause.code, codeIn(t, 'ECONNREFUSED'));
      await t.saw(2);
    },
  },
  {
    name: 'an attempt that was not sent does not hide one that was lost',
    hosts: NODE,
    async run(t) {
      const down = await t.open({ refuse: true });
      await t.home.script({ '*': { before: 'reset' } });
      const hooks = { beforeRetry: [({ error }) => {
        t.equal(error.outcome, 'unknown');
        return new Request(down.url('/b'));
      }] };
      const error = await t.fails(() => t.client({ hooks, retry: { limit: 1, delay: 1 } }).get('a'), { outcome: 'unknown' });
      t.same(error.attempts.map(({ outcome }) => outcome), ['unknown', 'not-sent']);
    },
  },
  {
    name: 'a certificate that the client refuses means that nothing was sent, one that the server refuses does not',
    hosts: NODE,
    run: (t) => rejecting(t, async (error) => {
      const rows = [
        ['DEPTH_ZERO_SELF_SIGNED_CERT', 'not-sent'],
        ['ERR_TLS_CERT_ALTNAME_INVALID', 'not-sent'],
        ['UND_ERR_CONNECT_TIMEOUT', 'not-sent'],
        ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'unknown'],
        ['ETIMEDOUT', 'unknown'],
      ];
      for (const [code, outcome] of rows) {
        error.now = new TypeError('fetch failed', { cause: Object.assign(new Error('hunter2'), { code }) });
        const { cause } = await t.fails(() => t.client().post('a'), { code: 'NETWORK_ERROR', outcome });
        t.equal(cause.code, code);
      }
    }),
  },
  {
    name: 'several addresses: not sent only if none of them had a connection',
    hosts: NODE,
    run: (t) => rejecting(t, async (error) => {
      const failure = (code, more) => Object.assign(new Error('hunter2'), { code, ...more });
      const rows = [
        [[failure('ECONNREFUSED'), failure('ECONNREFUSED')], 'not-sent'],
        [[failure('ECONNREFUSED'), failure('ETIMEDOUT', { syscall: 'connect' })], 'not-sent'],
        [[failure('ECONNREFUSED'), failure('ECONNRESET', { syscall: 'read' })], 'unknown'],
      ];
      for (const [errors, outcome] of rows) {
        error.now = new TypeError('fetch failed', { cause: new AggregateError(errors, 'hunter2') });
        const { cause, message } = await t.fails(() => t.client().post('a'), { code: 'NETWORK_ERROR', outcome });
        t.equal(cause.code, 'ECONNREFUSED');
        t.lacks(`${message} ${cause.message}`, 'hunter2');
      }
    }),
  },
  {
    name: 'what a custom fetch rejects with is believed about its code, and not about what was sent',
    parallel: true,
    async run(t) {
      const reject = (code) => async () => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code, syscall: 'connect' }) });
      };
      const code = async (given) => (await t.fails(() => t.client({ fetch: reject(given) }).post('a'), { outcome: 'unknown' })).cause.code;
      t.equal(await code('ECONNREFUSED'), RUNTIMES.includes(t.host) ? 'ECONNREFUSED' : undefined);
      for (const odd of ['hunter2', 'a b', 7, { toString: () => 'EHUNTER' }, `E${'X'.repeat(100)}`]) t.equal(await code(odd), undefined, 'no code');
    },
  },
  {
    name: 'headers that the platform never sends are INVALID_REQUEST, at once',
    hosts: NODE,
    async run(t) {
      await t.home.script({ '*': {} });
      const api = t.client({ retry: 3 });
      const rows = [['transfer-encoding', 'chunked'], ['connection', 'upgrade'], ['keep-alive', 'timeout=5'], ['upgrade', 'h2c'], ['expect', '100-continue']];
      for (const [name, value] of rows) {
        const error = await t.fails(() => api.get('a', { headers: { [name]: value } }), { code: 'INVALID_REQUEST', outcome: 'not-sent' });
        t.ok(error.message.includes(`${name} header`), error.message);
        t.equal(error.attempts.length, 0);
        const platform = await t.fails(() => api.fetch('a', { headers: { [name]: value } }), { code: 'INVALID_REQUEST' });
        t.ok(platform instanceof TypeError, name);
      }
      t.equal(api.metrics().attempts, 0);
      await t.saw(0);
    },
  },
  {
    name: 'ports that the Fetch standard blocks are INVALID_REQUEST, at once',
    hosts: except('bun'),
    parallel: true,
    async run(t) {
      const api = t.client({ retry: 3 });
      for (const port of [1, 22, 6_000, 6_667, 10_080]) {
        const error = await t.fails(() => api.get(`http://127.0.0.1:${port}/a`), { code: 'INVALID_REQUEST', outcome: 'not-sent' });
        t.match(error.message, /port/, 'the message names it');
      }
      t.equal(api.metrics().attempts, 0);
    },
  },
  {
    name: 'an unknown scheme that only the platform can refuse is INVALID_REQUEST',
    hosts: NODE,
    run: (t) => rejecting(t, async (error) => {
      error.now = new TypeError('fetch failed', { cause: new Error('unknown scheme') });
      const { attempts } = await t.fails(() => t.client({ retry: 3 }).get('a'), { code: 'INVALID_REQUEST', outcome: 'not-sent' });
      t.same(attempts, []);
    }),
  },
  {
    name: 'same-origin to another origin, and only-if-cached without an entry, are INVALID_REQUEST, at once',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '*': {} });
      const other = await t.open({ script: { '*': { headers: { 'access-control-allow-origin': '*' } } } });
      const api = t.client({ retry: 3 });
      const rows = [
        [other.url('/a'), { mode: 'same-origin' }, /same-origin/],
        [new Request(other.url('/a'), { mode: 'same-origin' }), {}, /same-origin/],
      ];
      const cached = { mode: 'same-origin', cache: 'only-if-cached' };
      // WebKitGTK sends such a request all the same.
      const isSent = await fetch(t.home.url('/never-asked'), cached).then(() => 1, () => 0);
      if (!isSent) rows.push(['never-asked', cached, /only-if-cached/]);
      for (const [input, options, text] of rows) {
        for (const call of [api.get, api.fetch]) {
          const error = t.info(await t.fails(() => call(input, options), { code: 'INVALID_REQUEST', outcome: 'not-sent' }));
          t.match(error.message, text);
        }
      }
      t.equal(api.metrics().attempts, 0);
      await t.saw(isSent);
      await t.saw(0, other);
      await t.home.script({ '*': { status: 302, headers: { location: other.url('/b') } } });
      await t.fails(() => t.client().get('away', { mode: 'same-origin' }), { code: 'NETWORK_ERROR', outcome: 'unknown' });
    },
  },
  {
    name: 'a body that does not match integrity is a network error like any other: the message says so',
    hosts: [...BROWSERS, ...NODE],
    async run(t) {
      await t.home.script({ '*': { body: 'a' } });
      const error = await t.fails(() => t.client().get('a', { integrity: `sha256-${'A'.repeat(43)}=` }), { code: 'NETWORK_ERROR', outcome: 'unknown' });
      t.match(error.message, /integrity/);
    },
  },
];
