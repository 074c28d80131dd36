// `steadfetch/testing` where the tests of a front end run: in pages and in every runtime.

const kit = (t) => import(t.env.modules.package.replace(/[\w.]+$/u, 'testing.js'));

export default [
  {
    name: 'the testing kit: a script, a clock and a recorder play a call through',
    async run(t) {
      // A service worker imports nothing while it runs.
      if (t.env.place === 'service-worker') return;
      const { createClock, createRecorder, createScript } = await kit(t);
      const script = createScript().reply({ fault: 'lost' }, { fault: 'never' }, { delay: 700, chunks: ['[1', ',2]'], gap: 300, headers: { 'x-a': '1' } });
      const recorder = createRecorder();
      const api = t.lib.createClient({
        baseUrl: 'https://api.test/', fetch: script.fetch, timeout: 4_000, totalTimeout: 60_000, onEvent: recorder.onEvent,
        retry: { limit: 2, delay: 2_000, retryOnTimeout: true },
      });
      const began = t.now();
      const clock = createClock();
      const start = clock.now();
      try {
        t.same(await clock.settle(api.get('a').json()), [1, 2]);
        t.between(clock.now() - start, 5_300 - 1, 20_000, 'virtual time');
        const response = clock.settle(api.fetch('b').catch((error) => t.info(error).code));
        t.equal(await response, 'CALLBACK_ERROR', 'a request without a reply');
      } finally {
        clock.restore();
      }
      t.ok(t.now() - began < 4_000, 'in no real time');
      t.same(script.requests.map(({ path, outcome }) => `${path} ${outcome}`), ['/a lost', '/a aborted', '/a 200', '/b pending']);
      t.same(recorder.of('attempt-end').map(({ code, status }) => code ?? status), ['NETWORK_ERROR', 'TIMEOUT', 200, 'CALLBACK_ERROR']);
    },
  },
];
