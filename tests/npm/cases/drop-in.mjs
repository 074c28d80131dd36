// `api.fetch` in the place of the platform's own fetch: its limits, its place as the global, the order of its checks.

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
];
