// Limits of time: never early, never missed, and never of the wrong thing.

import { BROWSERS } from '../harness/hosts.mjs';

const LIMITS = ['timeout', 'headersTimeout', 'idleTimeout', 'totalTimeout'];

export default [
  {
    name: 'C01 a body that stalls after the headers',
    async run(t) {
      await t.home.script({ '*': { chunks: [{ text: '{"a":', delay: 10 }], end: 'hang' } });
      for (const surface of ['shortcut', 'Response']) {
        let last;
        const api = t.strict({ totalTimeout: 2_000, onDownloadProgress: () => { last = t.now(); } });
        const read = surface === 'shortcut' ? () => api.get('a').json() : async () => (await api.fetch('a')).json();
        const bounds = [310, 2_000];
        const error = await t.fails(read, { code: 'TIMEOUT', phase: 'idle', limit: 300, status: 200, outcome: 'answered' }, bounds);
        t.took(t.now() - last, [0, 450], `time from the last byte, ${surface}`);
        t.equal(error.name, 'TimeoutError', 'name');
        t.equal(t.info(error).bytesReceived, 5, 'bytesReceived');
      }
      await t.home.wait({ closes: 2 });
      await t.saw(2);
    },
  },
  {
    name: 'C02 a drip that never idles meets the total deadline',
    async run(t) {
      await t.home.script({ '*': { drip: { text: 'x', every: 100 } } });
      const api = t.strict({ totalTimeout: 1_500 });
      const error = await t.fails(() => api.get('a').text(), {
        code: 'DEADLINE_EXCEEDED', phase: 'body', limit: 1_500, status: 200,
      }, [1_500, 1_650]);
      t.between(error.bytesReceived, 3, 16, 'bytesReceived');
      await t.home.wait({ closes: 1 });
      await t.saw(1);
    },
  },
  {
    name: 'C02 a drip meets the timeout of its attempt',
    async run(t) {
      await t.home.script({ '*': { drip: { text: 'x', every: 100 } } });
      const api = t.strict({ timeout: 700 });
      await t.fails(() => api.get('a').text(), { code: 'TIMEOUT', phase: 'body', limit: 700, status: 200 }, [700, 850]);
      await t.home.wait({ closes: 1 });
    },
  },
  {
    name: 'C04 values that are no limit are refused',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const api = t.strict();
      for (const limit of LIMITS) {
        for (const value of [0, 0.4, -1, NaN, -Infinity, '300', null, true, {}, 10n]) {
          const what = `${limit}: ${t.show(value)}`;
          const thrown = t.throws(() => t.lib.createClient({ [limit]: value }), undefined, what);
          t.equal(thrown.code, 'INVALID_OPTION', what);
          t.match(thrown.message, new RegExp(limit), what);
          t.equal(t.throws(() => api.extend({ [limit]: value })).code, 'INVALID_OPTION', what);
          for (const call of ['get', 'fetch']) {
            await t.fails(() => api[call]('a', { [limit]: value }), { code: 'INVALID_OPTION', outcome: 'not-sent' }, [0, 10]);
          }
        }
      }
      await t.saw(0);
    },
  },
  {
    name: 'C04 no limit, and limits that no timer can hold',
    async run(t) {
      await t.home.script({ '*': { delay: 100, json: { a: 1 } } });
      const api = t.strict();
      for (const value of [Infinity, false, 2_147_483_648, 4_294_967_296, 9e15, undefined]) {
        const options = Object.fromEntries(LIMITS.map((limit) => [limit, value]));
        t.same(await t.works(() => api.get('a', options).json(), [100, 400]), { a: 1 }, `limits ${t.show(value)}`);
        t.same(await t.works(() => t.strict(options).get('a').json(), [100, 400]), { a: 1 }, `limits ${t.show(value)}`);
      }
    },
  },
  {
    name: 'C04 the defaults, and undefined as one of them',
    async run(t) {
      const clock = t.fakeClock();
      try {
        const hang = (url, { signal }) => new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
        for (const options of [{}, { timeout: undefined, totalTimeout: undefined }]) {
          const api = t.lib.createClient({ baseUrl: 'http://a.test/', fetch: hang, ...options });
          const call = api.get('a', options).text();
          call.catch(() => {});
          await clock.advance(9_999);
          t.equal(clock.pending() > 0, true, 'a timer at 9 999 ms');
          await clock.advance(2);
          const error = await t.fails(() => call, { code: 'TIMEOUT', phase: 'headers', limit: 10_000 });
          t.between(error.elapsedMs, 10_000, 10_001, 'elapsedMs');
          t.equal(clock.pending(), 0, 'timers left');
        }
        // A day and a bit more than 24 days.
        for (const span of [86_400_000, 2_147_483_648 + 5_000]) {
          const api = t.lib.createClient({ baseUrl: 'http://a.test/', fetch: hang, timeout: false, totalTimeout: span });
          const call = api.get('a').text();
          let settled = false;
          call.catch(() => { settled = true; });
          await clock.advance(span - 2);
          t.equal(settled, false, `settled before ${span} ms`);
          await clock.advance(3);
          await t.fails(() => call, { code: 'DEADLINE_EXCEEDED', phase: 'headers', limit: span });
        }
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'C04 limits hold when fake timers are put in place, or taken away, just after a call',
    async run(t) {
      const fetch = (url, { signal }) => url.endsWith('good')
        ? Promise.resolve(new Response('{}'))
        : new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
      const api = t.client({ fetch, timeout: 60 });
      await t.works(() => api.get('good').json());
      const clock = t.fakeClock();
      try {
        const call = api.get('hang').json();
        call.catch(() => {});
        await clock.advance(61);
        await t.fails(() => call, { code: 'TIMEOUT', limit: 60 });
        await t.works(() => api.get('good').json());
      } finally {
        clock.restore();
      }
      await t.fails(() => api.get('hang').json(), { code: 'TIMEOUT', limit: 60 }, [60, 1_000]);
    },
  },
  {
    name: 'C04 fractions above 1 round up',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { before: 'hang' } });
      await t.fails(() => t.strict({ timeout: 120.2, headersTimeout: false }).get('a').text(), {
        code: 'TIMEOUT', limit: 121,
      }, [121, 2_000]);
    },
  },
  {
    name: 'C06 the deadline is one for all attempts',
    async run(t) {
      await t.home.script({ '*': { before: 'hang' } });
      const events = t.recorder();
      const api = t.strict({ totalTimeout: 1_000, retry: { limit: 5, delay: 50, retryOnTimeout: true }, onEvent: events });
      const { error, ms } = await t.settle(() => api.get('a').text());
      t.took(ms, [0, 1_100]);
      if (error.code !== 'DEADLINE_EXCEEDED') {
        t.same([error.code, error.retryStopped], ['TIMEOUT', 'deadline']);
      }
      t.between(error.attempts.length, 2, 4, 'attempts');
      await t.saw(error.attempts.length);
      for (const event of events.of('attempt-start')) t.ok(event.remainingMs >= 10, `remaining ${event.remainingMs}`);
      await t.home.wait({ open: 0 });
    },
  },
  {
    name: 'C07 a Retry-After beyond the deadline is not slept for',
    async run(t) {
      await t.home.script({ '*': { status: 429, headers: { 'retry-after': 60 } } });
      const api = t.strict({ totalTimeout: 2_000, retry: { limit: 3, statusCodes: [429] } });
      await t.fails(() => api.get('a').json(), {
        code: 'HTTP_ERROR', status: 429, retryAfterMs: 60_000, retryStopped: 'deadline', outcome: 'answered',
      }, [0, 100]);
      await t.saw(1);
    },
  },
  {
    name: 'C07 a Retry-After above maxRetryAfter is not slept for',
    async run(t) {
      await t.home.script({ '*': { status: 503, headers: { 'retry-after': 61 } } });
      const api = t.strict({ totalTimeout: 600_000, retry: { limit: 3, statusCodes: [503] } });
      await t.fails(() => api.get('a').json(), {
        code: 'HTTP_ERROR', status: 503, retryAfterMs: 61_000, retryStopped: 'retry-after',
      }, [0, 100]);
      await t.saw(1);
    },
  },
  {
    name: 'C10 the wall clock jumps',
    async run(t) {
      await t.home.script({ '*': { delay: 200, json: { a: 1 } } });
      const { now } = Date;
      for (const jump of [3_600_000, -3_600_000]) {
        const events = t.recorder();
        const call = t.strict({ headersTimeout: 500, onEvent: events }).get('a').json();
        await t.sleep(50);
        Date.now = () => now() + jump;
        try {
          t.same(await t.works(() => call), { a: 1 }, `jump of ${jump} ms`);
        } finally {
          Date.now = now;
        }
        const [{ elapsedMs }] = events.of('call-end');
        t.between(elapsedMs, 150, 300 + t.slack, 'elapsedMs');
      }
    },
  },
  {
    name: 'C12 timers that fire on whole seconds only',
    parallel: true,
    timeout: 30_000,
    async run(t) {
      await t.home.script({ '*': { chunks: Array.from({ length: 20 }, () => ({ text: 'x', delay: 500 })), end: 'hang' } });
      const { setTimeout: set } = globalThis;
      globalThis.setTimeout = (callback, delay, ...rest) => {
        const at = Math.ceil((t.now() + delay) / 1_000) * 1_000;
        return set(callback, at - t.now(), ...rest);
      };
      try {
        let last;
        const api = t.strict({
          // Not what is looked at here.
          headersTimeout: false, idleTimeout: 3_000, totalTimeout: 25_000, onDownloadProgress: () => { last = t.now(); },
        });
        const call = api.get('a', { timeout: false }).text();
        // Longer than one call may otherwise take here.
        await Promise.race([call.catch(() => {}), t.sleep(20_000)]);
        await t.fails(() => call, { code: 'TIMEOUT', phase: 'idle', bytesReceived: 20 });
        t.took(t.now() - last, [2_990, 4_100], 'time from the last byte');
      } finally {
        globalThis.setTimeout = set;
      }
    },
  },
  {
    name: 'C13 the seventh call to a host waits in the browser, and its limit runs',
    hosts: BROWSERS,
    async run(t) {
      const slow = await t.open({ script: { '*': { delay: 1_200, body: 'x' } } });
      const api = t.strict({ headersTimeout: false });
      // One URL each: Chromium's cache asks for a URL once at a time.
      const six = Array.from({ length: 6 }, (_, index) => api.get(slow.url(`/a?${index}`)).text());
      await slow.wait({ requests: 6 });
      await t.fails(() => api.get(slow.url('/b'), { headersTimeout: 500 }).text(), {
        code: 'TIMEOUT', phase: 'headers', limit: 500, outcome: 'unknown',
      }, [500, 560]);
      await t.works(() => Promise.all(six));
      await t.saw(6, slow);
    },
  },
  {
    name: 'C14 the timeout of an attempt ends its request',
    async run(t) {
      await t.home.script({ '*': { before: 'hang' } });
      const events = t.recorder();
      const api = t.strict({
        headersTimeout: 200, retry: { limit: 2, delay: 10, retryOnTimeout: true }, onEvent: events,
      });
      await t.fails(() => api.get('a').text(), {
        code: 'TIMEOUT', phase: 'headers', outcome: 'unknown', retryStopped: 'limit',
      }, [600, 800]);
      const report = await t.home.wait({ closes: 3 });
      t.equal(report.requests, 3, 'requests');
      for (const { attemptMs, outcome } of events.of('attempt-end')) {
        t.between(attemptMs, 200, 300 + t.slack, 'attemptMs');
        t.equal(outcome, 'unknown', 'outcome of an attempt');
      }
      report.log.forEach(({ atMs, endedMs }, index) => {
        t.took(endedMs - atMs, [150, 300], `request ${index} was open`);
        const next = report.log[index + 1];
        if (next) t.between(endedMs - next.atMs, -Infinity, 50, `overlap of ${index} and the next`);
      });
    },
  },
  {
    name: 'a limit that is cut by the deadline is the deadline',
    async run(t) {
      await t.home.script({ '*': { before: 'hang' } });
      const api = t.strict({ timeout: 5_000, headersTimeout: false, totalTimeout: 250 });
      await t.fails(() => api.get('a').text(), { code: 'DEADLINE_EXCEEDED', phase: 'headers', limit: 250 }, [250, 350]);
      await t.home.wait({ closes: 1 });
    },
  },
  {
    name: 'reserve is kept back from every attempt',
    async run(t) {
      await t.home.script({ '*': { before: 'hang' } });
      const api = t.strict({ timeout: 5_000, headersTimeout: false, totalTimeout: 500, reserve: 200 });
      await t.fails(() => api.get('a').text(), { code: 'DEADLINE_EXCEEDED', phase: 'headers' }, [300, 400]);
    },
  },
  {
    name: 'api.fetch: after the headers only idleTimeout, unless a limit was set by the caller',
    async run(t) {
      await t.home.script({ '*': { drip: { text: 'x', every: 50, count: 16 } } });
      const bare = t.lib.createClient({ baseUrl: t.home.origin });
      const clock = t.now();
      t.equal(await t.works(async () => (await bare.fetch('a', { headersTimeout: 400 })).text()), 'x'.repeat(16));
      t.between(t.now() - clock, 700, 5_000, 'time of the drip');
      await t.fails(async () => (await bare.fetch('a', { timeout: 400 })).text(), {
        code: 'TIMEOUT', phase: 'body', name: 'TimeoutError',
      }, [400, 550]);
      await t.fails(async () => (await bare.fetch('a', { totalTimeout: 400 })).text(), {
        code: 'DEADLINE_EXCEEDED', phase: 'body',
      }, [400, 550]);
      const limited = bare.extend({ totalTimeout: 400 });
      await t.fails(async () => (await limited.fetch('a')).text(), { code: 'DEADLINE_EXCEEDED' }, [400, 550]);
    },
  },
  {
    name: '.stream(): only limits given in that very call count after the headers',
    async run(t) {
      await t.home.script({ '*': { drip: { text: 'x', every: 50, count: 16 } } });
      const api = t.strict({ timeout: 400, totalTimeout: 450 });
      const drain = async (options) => {
        let length = 0;
        for await (const chunk of api.get('a', options).stream()) length += chunk.length;
        return length;
      };
      t.equal(await t.works(() => drain({})), 16, 'bytes');
      await t.fails(() => drain({ totalTimeout: 450 }), { code: 'DEADLINE_EXCEEDED', phase: 'body' }, [450, 600]);
      await t.fails(() => drain({ timeout: 400 }), { code: 'TIMEOUT', phase: 'body' }, [400, 550]);
    },
  },
];
