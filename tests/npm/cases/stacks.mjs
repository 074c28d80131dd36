// What a developer sees of an error: its stack, its class, its cause.

const V8 = ['node', 'deno', 'chromium'];

export default [
  {
    name: 'the stack names the async functions that wait for the call',
    hosts: V8,
    async run(t) {
      await t.home.script({
        '/404': { status: 404, json: { a: 1 } },
        '/bad': { body: '{' },
        '/cut': { chunks: [{ text: '{' }], end: 'reset' },
        '/hang': { before: 'hang' },
        '/ok': { json: {} },
      });
      const down = await t.open({ refuse: true });
      const api = t.client();
      const schema = { '~standard': { version: 1, vendor: 'x', validate: () => ({ issues: [{ message: 'no' }] }) } };
      const calls = {
        bare: () => api.get('404'),
        json: () => api.get('404').json(),
        parse: () => api.get('bad').json(),
        body: () => api.get('cut').text(),
        bodyLater: async () => (await api.get('cut')).text(),
        schema: () => api.get('ok').json(schema),
        network: () => api.get(down.url('/a')).json(),
        timeout: () => api.get('hang', { headersTimeout: 20 }),
        abort: () => api.get('hang', { signal: AbortSignal.timeout(20) }).json(),
        option: () => api.get('ok', { timout: 1 }).json(),
        fetch: () => api.fetch(down.url('/a')),
        fetchTimeout: () => api.fetch('hang', { headersTimeout: 20 }),
        fetchBody: async () => (await api.fetch('cut')).text(),
        fallback: () => api.get('404', { fallback(error) { throw error; } }).json(),
        all: () => Promise.all([api.get('404').json()]),
      };
      for (const [what, start] of Object.entries(calls)) {
        async function loadUser() {
          return await start();
        }
        async function showUser() {
          await loadUser();
        }
        const { error } = await t.settle(showUser);
        t.match(error.stack, /^\w+: .*\n(.*\n)*.* at async loadUser .*\n.* at async showUser /, `the stack of ${what}`);
        t.ok(error.stack.startsWith(`${error.name}: ${error.message}\n`), `${what}: ${error.stack}`);
      }
      const { error } = await t.settle(async function showResult() {
        return (await api.get('404').result()).error.stack;
      });
      t.equal(error, undefined, 'result never rejects');
      async function loadResult() {
        return (await api.get('404').result()).error.stack;
      }
      t.match(await loadResult(), /at async loadResult /);
    },
  },
  {
    name: 'a read that fails after another one has ended leaves no rejection that nobody hears of',
    async run(t) {
      await t.home.script({ '*': { chunks: [{ text: 'a' }, { text: 'b', delay: 50 }], end: 'reset' } });
      const response = await t.works(() => t.client().get('a'));
      const reads = [response.clone().text(), response.text()];
      for (const { status } of await Promise.allSettled(reads)) t.equal(status, 'rejected');
      // The harness looks for unhandled rejections.
    },
  },
  {
    name: 'the reason of a signal keeps its own stack',
    async run(t) {
      const controller = new AbortController();
      const reason = new Error('mine');
      const { stack } = reason;
      // The fetch of Node gives it another stack.
      const call = t.client({ fetch: () => new Promise(() => {}) }).fetch('a', { signal: controller.signal });
      controller.abort(reason);
      t.equal(await t.fails(() => call), reason);
      t.equal(reason.stack, stack);
    },
  },
  {
    name: 'the classes of errors have their names, and a cause that is not ours has no frames',
    parallel: true,
    async run(t) {
      const { SteadfetchError, HTTPError } = t.lib;
      t.same([SteadfetchError.name, HTTPError.name], ['SteadfetchError', 'HTTPError']);
      const fetch = async () => {
        throw new TypeError('secret');
      };
      const { cause } = await t.fails(() => t.client({ fetch }).get('a'), { code: 'NETWORK_ERROR' });
      t.same([cause.name, cause.message, cause.stack], ['TypeError', '', 'TypeError']);
      t.ok(cause instanceof Error);
      const http = await t.fails(() => t.client({ fetch: async () => new Response('', { status: 404 }) }).get('a'), { code: 'HTTP_ERROR' });
      t.equal(http.constructor, HTTPError);
      t.equal('cause' in http, false, 'no cause where there is none');
      if (t.host !== 'node') return;
      const { inspect } = await import('node:util');
      t.match(inspect(http), /^HTTPError: the server/);
      const timeout = await t.fails(() => t.client({ fetch: () => new Promise(() => {}) }).get('a', { headersTimeout: 10 }));
      t.match(inspect(timeout), /^(SteadfetchError \[)?TimeoutError\]?: timed out/);
    },
  },
];
