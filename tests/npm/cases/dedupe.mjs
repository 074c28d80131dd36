// `dedupe` over a real network: requests that are equal become one, in every engine.

const cases = [
  {
    name: 'a hundred equal calls are one request, and each gets the whole answer',
    needs: { dedupe: true },
    async run(t) {
      await t.home.script({ '*': { delay: 50, chunks: [{ text: '{"a":', delay: 10 }, { text: '[1,2]}', delay: 10 }] } });
      const api = t.client({ dedupe: true });
      const calls = Array.from({ length: 100 }, () => api.get('a').json());
      for (const got of await t.works(() => Promise.all(calls))) t.same(got, { a: [1, 2] });
      t.equal((await t.home.report()).log.length, 1, 'requests');
      t.equal(api.metrics().shared, 99, 'shared');
    },
  },
  {
    name: 'callers who leave, time out or read slowly harm no other, and the request is closed with the last one',
    needs: { dedupe: true },
    async run(t) {
      await t.home.script({ 'GET /good': { delay: 200, chunks: Array.from({ length: 10 }, () => ({ text: 'x'.repeat(5_000), delay: 10 })) }, 'GET /hang': { chunks: [{ text: 'x' }], end: 'hang' } });
      const api = t.client({ dedupe: true, retry: 0 });
      const controllers = Array.from({ length: 10 }, () => new AbortController());
      const gone = controllers.map(({ signal }) => api.get('good', { signal }).text());
      const late = Array.from({ length: 10 }, () => api.get('good', { timeout: 60 }).text());
      const slow = api.get('good', { headers: { accept: 'text/*' } }).then((response) => response);
      const stay = Array.from({ length: 10 }, () => api.get('good').text());
      for (const call of [...gone, ...late]) call.catch(() => {});
      while (!(await t.home.report()).log.length) await t.turn();
      controllers.forEach((controller) => controller.abort('E'));
      for (const call of gone) await t.fails(() => call, { code: 'ABORTED', cause: 'E' });
      for (const call of late) await t.fails(() => call, { code: 'TIMEOUT' });
      for (const got of await t.works(() => Promise.all(stay))) t.equal(got.length, 50_000, 'bytes');
      t.equal((await t.works(() => slow.then((response) => response.text()))).length, 50_000, 'bytes of the slow one');

      const last = [0, 1].map(() => new AbortController());
      const hanging = last.map(({ signal }) => api.get('hang', { signal }).text());
      for (const call of hanging) call.catch(() => {});
      while (!(await t.home.report()).log.some(({ url }) => url.endsWith('/hang'))) await t.turn();
      for (const controller of last) controller.abort();
      for (const call of hanging) await t.fails(() => call, { code: 'ABORTED' });
      t.equal((await t.home.report()).log.length, 2, 'requests');
      t.equal(api.metrics().inFlight, 0, 'in flight');
    },
  },
];

export default cases;
