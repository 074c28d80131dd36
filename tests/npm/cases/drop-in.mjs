// `api.fetch` in the place of the platform's own fetch: its limits, its place as the global, the order of its checks.

import { BROWSERS } from '../harness/hosts.mjs';

/** Headers after `first` milliseconds, then a stream whose chunks come that far apart. */
const slowly = (first, ...gaps) => async (_, { signal }) => {
  const aborted = new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); });
  aborted.catch(() => {});
  const wait = (ms) => Promise.race([aborted, new Promise((resolve) => { setTimeout(resolve, ms); })]);
  const left = [...gaps];
  await wait(first);
  return new Response(new ReadableStream({
    async pull(controller) {
      const gap = left.shift();
      if (gap === undefined) return controller.close();
      await wait(gap);
      controller.enqueue(new Uint8Array([120]));
    },
  }));
};

export default [
  {
    name: 'api.fetch waits minutes for an answer, and 60 s between the chunks of a stream',
    parallel: true,
    async run(t) {
      const rows = [
        ['headers after 290 s', {}, slowly(290_000), undefined],
        ['headers after 301 s', {}, slowly(301_000), 'DEADLINE_EXCEEDED'],
        ['chunks 59 s apart for 10 minutes', {}, slowly(1, ...Array(10).fill(59_000)), undefined],
        ['a chunk after 61 s', {}, slowly(1, 61_000), 'TIMEOUT'],
        ['timeout of the client', { timeout: 5_000 }, slowly(6_000), 'TIMEOUT'],
        ['idleTimeout of the client', { idleTimeout: 5_000 }, slowly(1, 6_000), 'TIMEOUT'],
        ['totalTimeout of the client', { totalTimeout: 5_000 }, slowly(6_000), 'DEADLINE_EXCEEDED'],
        ['the value that shortcuts have by default, given', { timeout: 10_000 }, slowly(12_000), 'TIMEOUT'],
      ];
      for (const [what, options, fetch, code] of rows) {
        const clock = t.fakeClock();
        try {
          const api = t.lib.createClient({ fetch, retry: false, ...options });
          for (const of of [api, api.extend({ name: 'extended' }), api.scope()]) {
            let ended;
            const call = (async () => (await of.fetch('http://a.test/')).text())();
            call.then(() => { ended = undefined; }, (error) => { ended = t.info(error).code; });
            await clock.advance(700_000);
            t.equal(ended, code, what);
          }
        } finally {
          clock.restore();
        }
      }
    },
  },
  {
    name: 'shortcuts keep their limits beside api.fetch, and a call can give both',
    parallel: true,
    async run(t) {
      const clock = t.fakeClock();
      try {
        const code = async (start) => {
          const failed = start().then(() => undefined, (error) => t.info(error).code);
          await clock.advance(40_000);
          return failed;
        };
        const api = t.lib.createClient({ fetch: slowly(12_000), retry: false });
        t.equal(await code(() => api.get('http://a.test/').text()), 'TIMEOUT', 'a shortcut');
        t.equal(await code(() => api.get('http://a.test/', { timeout: false }).text()), undefined, 'a shortcut without timeout');
        t.equal(await code(() => api.fetch('http://a.test/', { timeout: 11_000 })), 'TIMEOUT', 'api.fetch with timeout');
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'a body that nobody reads is given up: a success in events, metrics, scope and circuit, an error only for late reads',
    async run(t) {
      await t.home.script({ '*': { drip: { bytes: 100, every: 5 } } });
      for (const how of ['fetch', 'post', 'stream']) {
        const events = t.recorder();
        const api = t.client({ idleTimeout: 200, onEvent: events, circuitBreaker: { failureThreshold: 1 } });
        const scope = api.scope({ failFast: true });
        const response = how === 'stream' ? { body: scope.get('a').stream() } : await t.works(() => scope[how]('a'));
        const { closes } = await t.home.report();
        await t.home.wait({ closes: closes + 1 });
        await t.until(() => events.of('call-end').length, 'the end of the call');
        const [ended] = events.of('call-end');
        t.same([ended.ok, ended.code, ended.status], [true, undefined, 200], `call-end, ${how}`);
        const [attempt] = events.of('attempt-end');
        t.same([attempt.code, attempt.phase], [undefined, 'body'], `attempt-end, ${how}`);
        const { succeeded, failed, inFlight } = api.metrics();
        t.same([succeeded, failed, inFlight], [1, {}, 0], `metrics, ${how}`);
        t.equal(api.circuits()[0].state, 'closed', `circuit, ${how}`);
        const late = how === 'stream' ? () => response.body.getReader().read() : () => response.text();
        await t.fails(late, { code: 'TIMEOUT', phase: 'idle', outcome: 'answered', limit: 200 });
        const sibling = await t.works(() => scope.fetch('b'));
        await sibling.body.cancel();
        api.close();
      }
    },
    needs: { circuitBreaker: {} },
  },
  {
    name: 'the connection of an opaque response is closed by abort, limits, the deadline of a scope and close()',
    hosts: BROWSERS,
    async run(t) {
      const away = await t.open({ script: { '*': { cors: false, headers: { 'content-type': 'image/png' }, drip: { bytes: 100, every: 5 } } } });
      const rows = {
        abort: (api, init) => [api, { ...init, timeout: false }, (controller) => controller.abort()],
        'abort after idleTimeout': (api, init) => [api, { ...init, idleTimeout: 1 }, async (controller) => {
          await t.until(() => api.metrics().inFlight === 0, 'the end of the call');
          controller.abort();
        }],
        timeout: (api, init) => [api, { ...init, timeout: 200 }],
        totalTimeout: (api, init) => [api, { ...init, totalTimeout: 200 }],
        scope: (api, init) => [api.scope({ totalTimeout: 200 }), init],
        close: (api, init) => [api, init, () => api.close()],
      };
      for (const [what, row] of Object.entries(rows)) {
        const controller = new AbortController();
        const client = t.lib.createClient({ idleTimeout: 4_000 });
        const [api, init, end] = row(client, { mode: 'no-cors', signal: controller.signal });
        const response = await t.works(() => api.fetch(away.url(`/${what[0]}`), init));
        t.equal(response.type, 'opaque', what);
        const { closes } = await away.report();
        await end?.(controller);
        await away.wait({ closes: closes + 1, timeout: 3_000 });
        await t.until(() => client.metrics().inFlight === 0, `the end of the call, ${what}`);
        client.close();
      }
    },
  },
  {
    name: 'globalThis.fetch = api.fetch: every arrangement sends once, and ends',
    async run(t) {
      await t.home.script({ '*': { body: 'ok' } });
      const native = globalThis.fetch;
      const own = () => t.client().fetch;
      const arrangements = {
        'api.fetch itself': () => { globalThis.fetch = own(); },
        'that of a client made from another': () => { globalThis.fetch = t.client().extend({ retry: 1 }).scope().fetch; },
        'two clients stacked': () => { globalThis.fetch = own(); globalThis.fetch = own(); },
        'a wrapper around it': () => { const inner = own(); globalThis.fetch = (...given) => inner(...given); },
        'a wrapper that calls it later': () => { const inner = own(); globalThis.fetch = async (...given) => { await t.turn(); return inner(...given); }; },
        'a wrapper that makes a Request': () => { const inner = own(); globalThis.fetch = (...given) => inner(new Request(...given)); },
        'a wrapper that makes a Request, and calls it later': () => {
          const inner = own();
          globalThis.fetch = async (...given) => {
            const request = new Request(...given);
            await t.turn();
            return inner(request);
          };
        },
        'two wrappers around two clients': () => {
          for (const inner of [own(), own()]) globalThis.fetch = (...given) => inner(...given);
        },
        'a custom fetch that calls the global one': () => { globalThis.fetch = t.client({ fetch: (...given) => globalThis.fetch(...given) }).fetch; },
        'a client whose custom fetch is that of another': () => { globalThis.fetch = t.client({ fetch: own() }).fetch; },
      };
      for (const [what, arrange] of Object.entries(arrangements)) {
        try {
          arrange();
          for (const start of [() => fetch(t.home.url('/a')), () => t.client().fetch('a'), () => t.client().get('a')]) {
            const before = await t.requests();
            t.equal(await t.works(async () => (await start()).text()), 'ok', what);
            t.equal(await t.requests() - before, 1, `requests, ${what}`);
          }
        } finally {
          globalThis.fetch = native;
        }
      }
    },
  },
  {
    name: 'globalThis.fetch = api.fetch: a wrapper that makes Requests and calls it later has each call once when it is known, and the limits hold',
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const native = globalThis.fetch;
      const api = t.client();
      let calls = 0;
      globalThis.fetch = api.fetch;
      try {
        const inner = globalThis.fetch;
        globalThis.fetch = async (...given) => {
          calls += 1;
          const request = new Request(...given);
          await t.turn();
          return inner(request);
        };
        const url = t.home.url('/a');
        const echo = async (init) => (await t.works(async () => (await fetch(url, init)).json())).body;
        const post = { method: 'POST', body: 'abc' };
        t.equal(await echo(post), 'abc');
        t.equal(await echo(), '');
        t.ok(calls <= 5, `${calls} calls until it is known`);
        for (const send of [() => echo(post), async () => (await api.post('a', { body: 'abc' }).json()).body]) {
          calls = 0;
          t.equal(await send(), 'abc');
          t.equal(calls, 1);
        }
        await t.saw(4);
        await t.home.script({ '*': { before: 'hang' } });
        const limited = t.client({ timeout: 300 });
        const controller = new AbortController();
        await t.fails(() => limited.fetch(t.home.url('/a')), { code: 'TIMEOUT' });
        const call = fetch(t.home.url('/b'), { signal: controller.signal });
        await t.home.wait({ requests: 6 });
        controller.abort();
        const { error } = await t.settle(() => call);
        t.equal(error?.name, 'AbortError');
        await t.until(() => api.metrics().inFlight === 0, 'the end of every call');
      } finally {
        globalThis.fetch = native;
      }
    },
  },
  {
    name: 'globalThis.fetch = api.fetch: two copies of the package, stacked in both orders, beside a wrapper, and taken away again',
    async run(t) {
      if (t.env.place === 'service-worker') return;
      const copy = await import(`${t.env.modules.package}?copy`);
      const native = globalThis.fetch;
      const options = { baseUrl: 'http://a.test/', retry: 0 };
      let sent = 0;
      const platform = async (...given) => {
        sent += 1;
        return new Response(await new Request(...given).text());
      };
      const wrappers = {
        'no wrapper': (inner) => inner,
        'a wrapper': (inner) => (...given) => inner(...given),
        'a wrapper that calls later': (inner) => async (...given) => {
          await t.turn();
          return inner(...given);
        },
        'a wrapper that makes a Request, and calls later': (inner) => async (...given) => {
          const request = new Request(...given);
          await t.turn();
          return inner(request);
        },
      };
      for (const [name, wrap] of Object.entries(wrappers)) {
        for (const libs of [[t.lib, copy], [copy, t.lib]]) {
          for (const isLate of [false, true]) {
            const what = `${name}, ${libs[0] === t.lib ? 'this' : 'the other'} first, clients made ${isLate ? 'before' : 'in turn'}`;
            globalThis.fetch = platform;
            const early = isLate ? libs.map((lib) => lib.createClient(options)) : [];
            const clients = [];
            const calls = async () => {
              const starts = [() => fetch('http://a.test/', { method: 'PUT', body: 'abc' })];
              for (const api of clients) starts.push(() => api.fetch('a', { method: 'PUT', body: 'abc' }), () => api.put('a', { body: 'abc' }));
              for (const start of starts) {
                sent = 0;
                t.equal(await t.works(async () => (await start()).text()), 'abc', what);
                t.equal(sent, 1, `requests, ${what}`);
              }
            };
            try {
              const installed = [];
              for (const [at, lib] of libs.entries()) {
                const api = early[at] ?? lib.createClient(options);
                clients.push(api);
                installed.push(globalThis.fetch);
                globalThis.fetch = api.fetch;
                if (!at) globalThis.fetch = wrap(globalThis.fetch);
                await calls();
              }
              // Taken away in reverse, as libraries do that keep what was there.
              for (const before of installed.reverse()) {
                globalThis.fetch = before;
                await calls();
              }
            } finally {
              globalThis.fetch = native;
              for (const api of clients) api.close();
            }
          }
        }
      }
    },
  },
  {
    name: 'globalThis.fetch = api.fetch: a mock that comes later is used, and the platform again after it',
    async run(t) {
      await t.home.script({ '*': { body: 'server' } });
      const native = globalThis.fetch;
      try {
        const api = t.client();
        globalThis.fetch = api.fetch;
        const spied = t.spy(globalThis, 'fetch', () => async () => new Response('mock'));
        t.equal(await t.works(() => api.get('a').text()), 'mock');
        spied.restore();
        t.equal(await t.works(() => api.get('a').text()), 'server');
        t.equal(await t.works(async () => (await fetch(t.home.url('/a'))).text()), 'server');
      } finally {
        globalThis.fetch = native;
      }
    },
  },
  {
    name: 'the referrer and its policy of a Request go out as with fetch',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const url = t.home.url('/a');
      const rows = {
        'no-referrer': () => [new Request(url, { referrerPolicy: 'no-referrer' })],
        'a referrer': () => [new Request(url, { referrer: '/elsewhere' })],
        'no referrer': () => [new Request(url, { referrer: '' })],
        'origin': () => [new Request(url, { referrerPolicy: 'origin', method: 'PUT', body: 'x' })],
        'an init that resets': () => [new Request(url, { referrerPolicy: 'no-referrer', referrer: '' }), { method: 'POST' }],
        'an init that sets': () => [new Request(url, { referrerPolicy: 'no-referrer' }), { referrerPolicy: 'origin' }],
        'neither': () => [new Request(url)],
      };
      const referer = async (response) => (await response.json()).headers.referer;
      for (const [what, make] of Object.entries(rows)) {
        t.equal(await referer(await t.works(() => t.client().fetch(...make()))), await referer(await fetch(...make())), what);
      }
      const [kept] = rows['no-referrer']();
      t.equal((await t.client().get(kept, { headers: { a: '1' } }).json()).headers.referer, undefined, 'a shortcut keeps it');
      t.equal(await referer(await t.client({ credentials: 'omit' }).fetch(rows['no-referrer']()[0], { retry: 1 })), undefined, 'options of ours reset nothing');
    },
  },
  {
    name: 'api.fetch judges its arguments before its signal, and takes the body of a Request, as fetch does',
    async run(t) {
      const url = t.home.url('/a');
      const signal = AbortSignal.abort('enough');
      const rows = {
        'a bad header': () => [url, { signal, headers: { 'a b': '1' } }],
        'a bad method': () => [url, { signal, method: 'TRACE' }],
        'a bad mode': () => [url, { signal, mode: 'none' }],
        'a body of a GET': () => [url, { signal, body: 'x' }],
        'a bad URL': () => ['http://', { signal }],
        'a bad signal': () => [url, { signal: {} }],
        'nothing bad': () => [url, { signal }],
        'a Request': () => [new Request(url, { method: 'POST', body: 'x' }), { signal }],
        'a Request with the signal': () => [new Request(url, { method: 'POST', body: 'x', signal })],
      };
      const outcome = async (send, given) => {
        const { error } = await t.settle(() => send(...given));
        return [error === 'enough' || error?.name, given[0].bodyUsed];
      };
      if (t.host === 'bun') {
        // Its fetch does not look at the mode, its Request does; a Request leaves the body to the one that it is made of.
        delete rows['a bad mode'];
        delete rows['a Request'];
        delete rows['a Request with the signal'];
      }
      for (const [what, make] of Object.entries(rows)) {
        // Whether it says of which field there is to complain is up to the platform.
        const [name, used] = await outcome(fetch, make());
        // WebKit rejects what is no signal without any error.
        t.same(await outcome(t.client().fetch, make()), [name ?? 'TypeError', used], what);
      }
      await t.saw(0);
    },
  },
  {
    name: 'every attempt sends the body as it was at the time of the call',
    async run(t) {
      const bytes = new Uint8Array([97, 98, 99]);
      const params = new URLSearchParams({ a: '1' });
      const form = new FormData();
      form.append('a', '1');
      form.append('file', new Blob(['f'], { type: 'text/x' }), 'f.txt');
      const bodies = {
        'a view': [bytes.subarray(1), 'bc', () => bytes.fill(0)],
        'a DataView': [new DataView(new Uint8Array([97, 98]).buffer, 1), 'b', (body) => body.setInt8(0, 0)],
        'an ArrayBuffer': [new Uint8Array([97]).buffer, 'a', (body) => new Uint8Array(body).fill(0)],
        URLSearchParams: [params, 'a=1', (body) => body.append('b', '2')],
        FormData: [form, 'a=1 file=f.txt,text/x,f', (body) => body.append('b', '2')],
      };
      const text = async (body) => {
        if (!(body instanceof FormData)) return new Response(body).text();
        const parts = [...body].map(async ([name, value]) => `${name}=${value.name ? [value.name, value.type, await value.text()] : value}`);
        return (await Promise.all(parts)).join(' ');
      };
      for (const [what, [body, expected, change]] of Object.entries(bodies)) {
        const sent = [];
        const fetch = async (_, init) => {
          await t.turn();
          sent.push(await text(init.body));
          if (sent.length === 1) throw new TypeError('refused');
          return new Response('ok');
        };
        const call = t.client({ fetch, retry: { limit: 1, delay: 0 } }).put('a', { body }).text();
        change(body);
        await t.works(() => call);
        t.same(sent, [expected, expected], what);
      }
      const once = t.scripted(new Response('ok'));
      await t.read(() => t.client({ fetch: once }).fetch('a', { method: 'POST', body: bytes }));
      t.equal(once.calls[0].init.body, bytes, 'what is sent once only is not copied');
    },
  },
  {
    name: 'keepalive requests that are too large together are delivered once each',
    hosts: [...BROWSERS, 'node'],
    async run(t) {
      await t.home.script({ '*': { delay: 50, body: 'ok' } });
      const body = 'x'.repeat(40_000);
      const api = t.client({ keepalive: true });
      const fetch = t.spy(globalThis, 'fetch');
      try {
        await Promise.all([api.post('a', { body }).text(), api.post('b', { body }).text(), api.post('c', { body: 'small' }).text()]);
      } finally {
        fetch.restore();
      }
      t.same(fetch.calls.map(([, init]) => init.keepalive), [true, false, true]);
      // Browsers notice the end of one later than its reader.
      for (let round = 0; round < 6; round += 1) {
        const calls = [0, 1, 2].map((at) => api.post(`a${at}`, { body }).text());
        t.same(await t.works(() => Promise.all(calls)), ['ok', 'ok', 'ok']);
      }
      await t.saw(21);
    },
  },
];
