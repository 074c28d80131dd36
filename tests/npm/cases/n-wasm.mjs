// What a wasm core must not do to its users.

import { BROWSERS } from '../harness/hosts.mjs';

/** Whether an error smells of a trap. */
const TRAP = /recursive use|unreachable|RuntimeError|ENGINE_DEAD|memory access|already borrowed/;

function noTrap(t, errors) {
  for (const error of errors) {
    const told = `${error?.name} ${error?.code} ${error?.message} ${error?.originalError?.message}`;
    t.ok(!TRAP.test(told), `no trap: ${told}`);
  }
}

export default [
  {
    name: 'N02 two hundred calls at once, whose callbacks call and abort',
    timeout: 30_000,
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } }, '/b': { json: { b: 1 } } });
      const errors = [];
      const inner = [];
      let depth = 0;
      // Each callback comes back into the client, but not without end.
      const again = (api) => {
        if (depth > 0 || inner.length > 400) return;
        depth += 1;
        try {
          inner.push(api.get(`b?${inner.length}`).json().catch((error) => errors.push(error)));
          const doomed = api.extend({});
          inner.push(doomed.get(`b?${inner.length}`).json().catch((error) => errors.push(error)));
          doomed.abortAll('inner');
        } finally {
          depth -= 1;
        }
      };
      const api = t.client({
        headersTimeout: 20_000, idleTimeout: 20_000, totalTimeout: 25_000,
        hooks: {
          beforeRequest: [() => again(api)],
          afterResponse: [() => again(api)],
        },
        onEvent: () => again(api),
        onDownloadProgress: () => again(api),
      });
      const results = await Promise.allSettled(Array.from({ length: 200 }, (_, index) => api.get(`a?${index}`).json()));
      await Promise.all(inner);
      const failed = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
      t.equal(failed.length, 0, `failed calls (${t.show(failed[0])})`);
      noTrap(t, errors);
      for (const error of errors) t.equal(error.code, 'ABORTED', 'errors of the inner calls');
      t.ok(inner.length > 200, `the callbacks called (${inner.length})`);
      await t.noTimers();
    },
  },
  {
    name: 'N02 abortAll from every callback',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { status: 503, json: {} } });
      const moments = ['beforeRequest', 'afterResponse', 'beforeRetry', 'shouldRetry', 'delay', 'headers', 'onEvent', 'fetch'];
      const errors = [];
      for (const moment of moments) {
        const stop = () => api.abortAll('stop');
        const api = t.client({
          retry: {
            limit: 1, statusCodes: [503],
            delay: moment === 'delay' ? () => (stop(), 1) : 1,
            ...(moment === 'shouldRetry' && { shouldRetry: () => stop() }),
          },
          hooks: { [moment]: [stop] }[moment] && ['beforeRequest', 'afterResponse', 'beforeRetry'].includes(moment)
            ? { [moment]: [stop] } : {},
          ...(moment === 'headers' && { headers: () => (stop(), {}) }),
          ...(moment === 'onEvent' && { onEvent: stop }),
          ...(moment === 'fetch' && { fetch: (...args) => (stop(), globalThis.fetch(...args)) }),
        });
        const calls = Array.from({ length: 5 }, (_, index) => t.settle(() => api.get(`a?${index}`).json()));
        for (const { error } of await Promise.all(calls)) {
          t.equal(error?.code, 'ABORTED', `code, ${moment}`);
          t.equal(error.cause, 'stop', `cause, ${moment}`);
          errors.push(error);
        }
      }
      noTrap(t, errors);
    },
  },
  {
    name: 'N02 two clients that call each other, as two mounts of one component',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } } });
      let aborts = 0;
      const one = t.client({
        onEvent: ({ type }) => {
          if (type !== 'call-start') return;
          aborts += 1;
          two.abortAll();
        },
      });
      const two = t.client();
      const results = await Promise.all(Array.from({ length: 20 }, (_, index) => t.settle(() => Promise.all([
        one.get(`a?${index}`).json(), two.get(`a?t${index}`).json().catch((error) => error),
      ]))));
      noTrap(t, results.map(({ error }) => error).filter(Boolean));
      for (const { error } of results) t.equal(error, undefined, 'error');
      t.equal(aborts, 20, 'calls of abortAll');
    },
  },
  {
    name: 'N04 one call through every branch',
    async run(t) {
      await t.home.script({
        '/reset': [{ before: 'reset' }, { json: 1, connection: 'close' }],
        '/503': [{ status: 503, headers: { 'retry-after': 0 } }, { json: 1 }],
        '/hang': { before: 'hang' },
        '/stall': { chunks: [{ text: 'x' }], end: 'hang' },
        '/cut': { body: 'x', contentLength: 20, end: 'cut' },
        '/drip': { drip: { text: 'x', every: 20 } },
        '/bad': { body: '{' },
        '/large': { bytes: 100_000 },
        '/404': { status: 404, bytes: 100_000 },
        '/204': { status: 204 },
        '/ok': { json: 1 },
      });
      const down = await t.open({ refuse: true });
      const api = t.client({
        timeout: 200, headersTimeout: 100, idleTimeout: 100, maxResponseBytes: 1_000,
        retry: { limit: 2, delay: 1, statusCodes: [503], retryOnTimeout: true },
      });
      const rows = [
        ['reset', {}, undefined], ['503', {}, undefined], ['hang', {}, 'TIMEOUT'], ['stall', {}, 'TIMEOUT'],
        ['cut', {}, 'NETWORK_ERROR'], ['drip', {}, 'TIMEOUT'], ['drip', { timeout: false, totalTimeout: 150 }, 'DEADLINE_EXCEEDED'],
        ['bad', {}, 'PARSE_ERROR'], ['large', {}, 'RESPONSE_TOO_LARGE'], ['404', {}, 'HTTP_ERROR'], ['204', {}, undefined],
        ['ok', {}, undefined], [down.url('/x'), {}, 'NETWORK_ERROR'], ['foo://', {}, 'INVALID_REQUEST'],
        ['ok', { retry: { jitter: true, delay: () => 1, limit: 1 } }, undefined],
        [down.url('/x'), { retry: { jitter: () => 1, limit: 1 } }, 'NETWORK_ERROR'],
        ['hang', { headersTimeout: false, timeout: false, totalTimeout: 50 }, 'DEADLINE_EXCEEDED'],
      ];
      for (const [path, options, code] of rows) {
        const { error } = await t.settle(() => api.get(path, options).json());
        t.equal(error?.code, code, `${path} ${t.show(options)}: ${t.show(error)}`);
        if (error) noTrap(t, [error]);
      }
      t.equal(t.timers.pending(), 0, 'timers left');
    },
  },
  {
    name: 'N06 the smoke suite in a dedicated worker, no window in sight',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      const other = await t.open({ script: { '*': { json: { a: 1 } } } });
      const worker = new Worker('/npm/harness/in-worker.mjs', { type: 'module' });
      const answer = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
      worker.postMessage({ module: t.env.modules.package, url: other.url('/a') });
      t.same(await t.works(() => answer), [{ a: 1 }, { a: 1 }]);
      worker.terminate();
    },
  },
  {
    name: 'N14 plain objects and numbers, exact up to 2^53 - 1',
    parallel: true,
    async run(t) {
      const limit = 2 ** 53 - 1;
      await t.home.script({
        '/503': { status: 503, headers: { 'retry-after': 3 } },
        '/huge': { body: 'x', contentLength: 2 ** 52 + 1, end: 'hang' },
        '/ok': { json: { a: 1 }, headers: { 'x-request-id': 'r-1', 'server-timing': 'db;dur=5' } },
      });
      const api = t.client({ timeout: limit, totalTimeout: 2 ** 40, maxResponseBytes: 2 ** 52 });
      const error = await t.fails(() => api.get('503').json(), { status: 503, retryAfterMs: 3_000 });
      const told = JSON.parse(JSON.stringify(error));
      t.same([told.code, told.status, told.retryAfterMs, told.attempts.length], ['HTTP_ERROR', 503, 3_000, 1]);
      t.same(told.attempts, error.attempts.map((attempt) => ({ ...attempt })), 'attempts survive JSON');
      t.equal(Object.getPrototypeOf(error.attempts[0]), Object.prototype, 'an attempt is a plain object');
      const large = await t.fails(() => api.get('huge').text(), { code: 'RESPONSE_TOO_LARGE', limit: 2 ** 52 });
      t.equal(JSON.parse(JSON.stringify(large)).limit, 2 ** 52, 'limit in JSON');
      const info = t.lib.callInfo(await t.read(() => api.get('ok')));
      t.same(JSON.parse(JSON.stringify(info)), { ...info }, 'callInfo survives JSON');
      t.same([info.attempts, info.resent, info.via, info.requestId], [1, false, 'network', 'r-1']);
      t.equal(typeof info.elapsedMs, 'number');
    },
  },
  {
    name: 'N16 bodies do not pass through the wasm memory',
    wasm: true,
    timeout: 60_000,
    full: 180_000,
    async run(t) {
      const ten = 10_000_000;
      const [rounds, long] = t.full ? [99, 200_000_000] : [24, 50_000_000];
      await t.home.script({
        '/bytes': { bytes: ten },
        '/json': { body: `"${'x'.repeat(ten - 2)}"`, headers: { 'content-type': 'application/json' } },
        '/long': { bytes: long },
      });
      const api = t.client({ headersTimeout: 10_000, idleTimeout: 10_000, timeout: false, totalTimeout: false });
      const readers = [
        async () => (await api.get('bytes').bytes()).length,
        async () => (await api.get('json').json()).length + 2,
        async () => {
          let length = 0;
          for await (const chunk of api.get('bytes').stream()) length += chunk.length;
          return length;
        },
      ];
      for (const read of readers) t.equal(await read(), ten, 'bytes');
      t.equal(t.memory.instances(), 1, 'instances of the engine');
      const before = t.memory.bytes();
      for (let round = 0; round < rounds; round += 3) {
        for (const length of await Promise.all(readers.map((read) => read()))) t.equal(length, ten, 'bytes');
        if (round === 48) t.between(t.memory.bytes() - before, 0, 1e6, 'growth after the first half');
      }
      let length = 0;
      for await (const chunk of api.get('long').stream()) length += chunk.length;
      t.equal(length, long, 'bytes');
      t.between(t.memory.bytes() - before, 0, 1e6, 'growth of the wasm memory');
    },
  },
];
