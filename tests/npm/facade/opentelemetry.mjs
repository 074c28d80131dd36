// `steadfetch/opentelemetry`, with a meter and a tracer that keep what they are given.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { fileUrl, packageDirectory } from '../harness/places.mjs';
import { rejection, steadfetch } from './package.mjs';

const { createClient } = steadfetch;
const { instrument } = await import(fileUrl(join(packageDirectory, 'opentelemetry.js')));

const SECRET = 'S3CRET';
const lost = async () => { throw new TypeError('Failed to fetch'); };
const hanging = (url, { signal }) => new Promise((resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
});
/** Gives one after the other, the last again and again: an Error, or the body and status of a Response. */
const answers = (...list) => async () => {
  const next = list.length > 1 ? list.shift() : list[0];
  if (next instanceof Error) throw next;
  return new Response(...next);
};
const lostOnce = () => answers(new TypeError('Failed to fetch'), ['{}']);

function fakeMeter() {
  const records = [];
  const create = (name, options) => {
    const keep = (value, attributes) => records.push({ name, value, attributes });
    return { options, record: keep, add: keep };
  };
  return { records, of: (name) => records.filter((one) => one.name === name), createHistogram: create, createCounter: create };
}

function fakeTracer(breaks = () => false) {
  const spans = [];
  let ids = 0;
  const context = { active: () => ({ span: 'the active one' }) };
  const trace = { setSpan: (outer, span) => ({ ...outer, span }) };
  const tracer = {
    startSpan(name, { kind, startTime, attributes }, { span: parent }) {
      if (breaks('startSpan')) throw new Error('startSpan');
      const spanId = `${++ids}`.padStart(16, '0');
      const span = { name, kind, startTime, parent, attributes: { ...attributes }, ends: [] };
      spans.push(span);
      return Object.assign(span, {
        spanContext: () => ({ traceId: 'a'.repeat(32), spanId, traceFlags: 1, traceState: { serialize: () => 'v=1' } }),
        setAttributes: (more) => {
          if (breaks('setAttributes')) throw new Error('setAttributes');
          Object.assign(span.attributes, more);
        },
        setStatus: ({ code }) => { span.status = code; },
        end: (at) => span.ends.push(at),
      });
    },
  };
  return { spans, tracer, context, trace };
}

/** A client with both. */
function instrumented({ propagate, ...options } = {}, tracing = fakeTracer()) {
  const meter = fakeMeter();
  const { spans, ...rest } = tracing;
  const telemetry = instrument({ meter, ...rest, propagate });
  const api = createClient({ baseUrl: 'https://api.test/v1/', name: 'shop', retry: { limit: 1, delay: 0 }, ...telemetry, ...options });
  return { api, meter, spans };
}

/** Takes what goes to `reportError`. */
async function reported(run) {
  const errors = [];
  const kept = globalThis.reportError;
  globalThis.reportError = (error) => errors.push(error);
  try {
    await run();
  } finally {
    globalThis.reportError = kept;
  }
  return errors;
}

describe('metrics', () => {
  it('have the names and attributes of the conventions, once an attempt', async () => {
    const { api, meter } = instrumented({ fetch: lostOnce() });
    await api.get(`users/${SECRET}?token=${SECRET}`, { operation: '/users/{id}' }).json();
    const labels = {
      'http.request.method': 'GET',
      'server.address': 'api.test',
      'server.port': 443,
      'steadfetch.dependency': 'shop',
      'url.template': '/users/{id}',
    };
    const attempts = meter.of('http.client.request.duration');
    assert.deepEqual(attempts.map(({ attributes }) => attributes), [
      { ...labels, 'error.type': 'NETWORK_ERROR' },
      { ...labels, 'http.response.status_code': 200 },
    ]);
    assert.ok(attempts.every(({ value }) => value >= 0 && value < 5), 'seconds');
    assert.deepEqual(meter.of('steadfetch.call.duration').map(({ attributes }) => attributes), [labels]);
    assert.deepEqual(meter.of('steadfetch.retries'), [
      { name: 'steadfetch.retries', value: 1, attributes: { ...labels, 'error.type': 'NETWORK_ERROR' } },
    ]);
    assert.ok(!JSON.stringify(meter.records).includes(SECRET));
  });

  it('say how a call has failed', async () => {
    const { api, meter } = instrumented({ fetch: answers(['no', { status: 503 }]) });
    await rejection(api.post('orders', { json: 1, operation: 'order' }).json());
    const [{ attributes }] = meter.of('http.client.request.duration');
    assert.deepEqual([attributes['error.type'], attributes['http.response.status_code'], attributes['steadfetch.operation']], ['503', 503, 'order']);
    const [call] = meter.of('steadfetch.call.duration');
    assert.deepEqual([call.attributes['error.type'], call.attributes['steadfetch.outcome']], ['503', 'answered']);
  });

  it('take no error status for the failure of a call that took it for none', async () => {
    const { api, meter } = instrumented({ fetch: answers(['no', { status: 404 }]) });
    await api.get('x', { throwHttpErrors: false }).text();
    assert.equal(meter.of('http.client.request.duration')[0].attributes['error.type'], '404');
    assert.ok(!('error.type' in meter.of('steadfetch.call.duration')[0].attributes));
  });

  it('count queue, circuits and budget', async () => {
    const { api, meter } = instrumented({
      fetch: lost,
      queue: { concurrency: 1 },
      circuitBreaker: { failureThreshold: 1 },
      retryBudget: { capacity: 0, ratio: 0, perSecond: 0 },
    });
    await Promise.allSettled([api.get('a').json(), api.get('b').json()]);
    assert.equal(meter.of('steadfetch.queue.duration').length, 1);
    assert.ok(meter.of('steadfetch.queue.duration')[0].value >= 0);
    assert.deepEqual(meter.of('steadfetch.circuit.changes').map(({ attributes }) => attributes['steadfetch.circuit.state']), ['open']);
    assert.equal(meter.of('steadfetch.budget.refusals').length, 1);
    assert.equal(meter.of('steadfetch.retries').length, 0);
  });

  it('count refreshes, and the wait for a connection, as events tell them', () => {
    const meter = fakeMeter();
    const { onEvent } = instrument({ meter });
    const base = { callId: 1, dependency: '', operation: '', attempt: 1, elapsedMs: 5 };
    onEvent({ ...base, type: 'call-start', method: 'GET', url: 'http://a.test/x', via: 'network' });
    onEvent({ ...base, type: 'refresh', ok: true });
    onEvent({ ...base, type: 'refresh', ok: false });
    onEvent({ ...base, type: 'attempt-end', startMs: 0, attemptMs: 5, status: 200, timings: { stalled: 250, request: undefined } });
    onEvent({ ...base, type: 'something new' });
    onEvent({ ...base, type: 'retry', callId: 2, code: 'TIMEOUT' });
    const labels = { 'http.request.method': 'GET', 'server.address': 'a.test', 'server.port': 80 };
    assert.deepEqual(meter.of('steadfetch.refreshes').map(({ attributes }) => attributes), [labels, { ...labels, 'error.type': 'AUTH_REFRESH_FAILED' }]);
    assert.deepEqual(meter.of('steadfetch.attempt.stalled'), [{ name: 'steadfetch.attempt.stalled', value: 0.25, attributes: labels }]);
    assert.equal(meter.of('steadfetch.retries').length, 0, 'of a call that it has not seen begin');
  });

  it('have bounded sets of attributes, whatever is called', async () => {
    const { api, meter } = instrumented({ fetch: answers(['{}']) });
    for (let at = 0; at < 400; at++) {
      await api.fetch(`https://host-${at}.test/u/${at}?q=${at}`, { method: `M${at}`, operation: `o${at}` }).then((got) => got.text());
    }
    const values = (name) => new Set(meter.records.map(({ attributes }) => attributes[name])).size;
    for (const name of ['server.address', 'steadfetch.operation']) assert.equal(values(name), 101, name);
    assert.equal(values('http.request.method'), 1);
    meter.records.length = 0;
    for (let at = 0; at < 50; at++) await api.get(`https://host-1.test/u/${at}`).json();
    assert.equal(new Set(meter.of('http.client.request.duration').map(({ attributes }) => JSON.stringify(attributes))).size, 1);
  });
});

describe('spans', () => {
  const ended = (spans) => spans.every(({ ends }) => ends.length === 1);

  it('are one of kind CLIENT for each attempt, below one for the call', async () => {
    const { api, spans } = instrumented({ fetch: lostOnce() });
    await api.get(`users?token=${SECRET}`, { operation: '/users' }).json();
    const [call, first, second] = spans;
    assert.deepEqual([call.name, call.kind, call.parent, call.status], ['/users', 0, 'the active one', undefined]);
    assert.deepEqual(spans.slice(1).map(({ name, kind, parent }) => [name, kind, parent === call]), [['GET /users', 2, true], ['GET /users', 2, true]]);
    assert.deepEqual([first.attributes['error.type'], first.status, first.attributes['http.request.resend_count']], ['NETWORK_ERROR', 2, undefined]);
    assert.deepEqual([second.attributes['http.response.status_code'], second.status, second.attributes['http.request.resend_count']], [200, undefined, 1]);
    assert.equal(second.attributes['url.full'], 'https://api.test/v1/users');
    assert.ok(ended(spans) && spans.length === 3);
    for (const { startTime, ends } of spans) assert.ok(startTime <= ends[0] && Math.abs(ends[0] - Date.now()) < 60_000, 'milliseconds since 1970');
    assert.ok(first.ends[0] <= second.startTime + 1 && second.ends[0] <= call.ends[0] + 1, 'in order');
  });

  const ENDINGS = {
    'a value': (api) => api.get('x').json(),
    'a status': (api) => api.get('x', { fetch: answers(['no', { status: 500 }]) }).json(),
    'no JSON': (api) => api.get('x', { fetch: answers(['<p>']) }).json(),
    'an outage': (api) => api.get('x', { fetch: lost }).json(),
    'no headers in time': (api) => api.get('x', { fetch: hanging, headersTimeout: 1 }).json(),
    'no time at all': (api) => api.get('x', { fetch: hanging, totalTimeout: 30 }).json(),
    'an abort': (api) => {
      const controller = new AbortController();
      const promise = api.get('x', { fetch: hanging, signal: controller.signal }).json();
      setTimeout(() => controller.abort(), 5);
      return promise;
    },
    'aborted before': (api) => api.get('x', { signal: AbortSignal.abort() }).json(),
    'a wrong option': (api) => api.get('x', { timeout: -1 }).json(),
    'a bad URL': (api) => api.get('http://user:pass@a.test/').json(),
    'a hook that throws': (api) => api.get('x', { hooks: { beforeRequest: [() => { throw new Error('mine'); }] } }).json(),
    'a hook that answers': (api) => api.get('x', { hooks: { beforeRequest: [() => new Response('{}')] } }).json(),
    'a hook that does not end': (api) => api.get('x', { totalTimeout: 30, hooks: { beforeRequest: [() => new Promise(() => {})] } }).json(),
    'a body that nobody reads': (api) => api.get('x', { idleTimeout: 1 }),
    'a stream that is left': async (api) => { for await (const chunk of api.get('x').stream()) if (chunk) break; },
    'api.fetch': async (api) => (await api.fetch('x')).text(),
  };
  for (const [name, start] of Object.entries(ENDINGS)) {
    for (const propagate of [['https://api.test'], false]) {
      it(`end after ${name}${propagate ? ', with traceparent' : ''}`, async () => {
        // What waits for a body that nobody reads keeps no process alive.
        const alive = setInterval(() => {}, 1_000);
        const { api, spans, meter } = instrumented({ fetch: answers(['{}']), propagate });
        const done = new Promise((resolve) => {
          const { records } = meter;
          records.push = (...more) => {
            const length = Array.prototype.push.apply(records, more);
            if (more[0].name === 'steadfetch.call.duration') resolve();
            return length;
          };
        });
        await Promise.allSettled([start(api)]);
        await done;
        clearInterval(alive);
        const open = spans.filter(({ ends }) => ends.length !== 1).map(({ name: span, ends }) => `${span} ${ends}`);
        assert.deepEqual(open, []);
        assert.ok(spans.length >= 1);
      });
    }
  }

  it('end even if the tracer breaks, and the call goes on', async () => {
    for (const what of ['startSpan', 'setAttributes']) {
      let api;
      let spans;
      const errors = await reported(async () => {
        ({ api, spans } = instrumented({ fetch: answers(['{}']), propagate: ['https://api.test'] }, fakeTracer((step) => step === what)));
        assert.deepEqual(await api.get('x').json(), {});
      });
      assert.ok(errors.length > 0 && errors.every(({ message }) => message === what), `${errors}`);
      assert.ok(ended(spans));
    }
  });

  it('need context and trace, and origins that are some', () => {
    const { tracer, context, trace } = fakeTracer();
    const refused = (options, message) => assert.throws(() => instrument(options), { name: 'TypeError', message });
    refused({ tracer }, /needs context and trace/);
    refused({ tracer, context, trace, propagate: ['api'] }, /absolute URLs/);
    refused({ tracer, context, trace, propagate: 'https://a.test' }, /a list/);
    refused({ meter: {} }, /meter: it has no createHistogram/);
    refused({ meter: fakeMeter(), tracer: {}, context, trace }, /tracer: it has no startSpan/);
    refused({ metre: fakeMeter() }, /metre is not known/);
    refused({ constructor: 1 }, /constructor is not known/);
    refused(7, /options/);
    for (const none of [undefined, {}, { meter: undefined, tracer: undefined }]) instrument(none);
    instrument({ tracer, context, trace, propagate: false });
  });
});

describe('traceparent', () => {
  /** What each request carried. */
  async function sent(propagate, options, url = 'x') {
    const seen = [];
    const once = lostOnce();
    const fetch = async (input, init) => {
      const { headers } = new Request(input, init);
      seen.push([headers.get('traceparent'), headers.get('tracestate')]);
      return once();
    };
    const { api, spans } = instrumented({ fetch, propagate });
    await api.get(url, options).json();
    return { seen, ids: spans.slice(1).map((span) => span.spanContext().spanId) };
  }

  it('is that of the attempt, where the caller allows it', async () => {
    const { seen, ids } = await sent(['https://api.test/any/path', 'https://b.test']);
    assert.equal(new Set(ids).size, 2);
    assert.deepEqual(seen, ids.map((id) => [`00-${'a'.repeat(32)}-${id}-01`, 'v=1']));
  });

  it('goes nowhere else', async () => {
    for (const propagate of [undefined, [], false, ['https://b.test', 'http://api.test', 'https://api.test:8443']]) {
      assert.deepEqual((await sent(propagate)).seen, [[null, null], [null, null]], `${propagate}`);
    }
  });

  it('goes to the origin of the page', async () => {
    globalThis.location = { origin: 'https://api.test', href: 'https://api.test/' };
    try {
      assert.match((await sent()).seen[0][0], /^00-/);
      assert.deepEqual((await sent(false)).seen[0], [null, null]);
      assert.deepEqual((await sent([], {}, 'https://b.test/')).seen[0], [null, null]);
    } finally {
      delete globalThis.location;
    }
  });

  it('is left to the caller who gives one', async () => {
    const headers = { traceparent: `00-${'b'.repeat(32)}-${'c'.repeat(16)}-00` };
    const { seen } = await sent(['https://api.test'], { headers });
    assert.deepEqual(seen.map(([parent]) => parent), [headers.traceparent, headers.traceparent]);
  });
});
