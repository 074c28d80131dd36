// The parts of the playground that need no page.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { eventWords } from '../../www/draw/event-words.js';
import { limitsInForce, limitsOf } from '../../www/draw/limits.js';
import { domain, Scale } from '../../www/draw/scale.js';
import { Timeline } from '../../www/draw/timeline.js';
import { family, named } from '../../www/fault/family.js';
import { BODIES, FAILURES, INITIAL, toScenario } from '../../www/fault/settings.js';
import { arrange } from '../../www/gallery/cases.js';
import { compare } from '../../www/gallery/right-words.js';
import { serverWords, stepWords } from '../../www/gallery/server-words.js';
import { together } from '../../www/gallery/states.js';
import { tourWords } from '../../www/gallery/tour-report.js';
import { Tour } from '../../www/gallery/tour.js';
import { endOf, History } from '../../www/protection/history.js';
import { circuitReading, latencyReading, queueReading, stateOf } from '../../www/protection/readings.js';
import { parse, print, unparse } from '../../www/literal.js';
import { code, expression } from '../../www/panels/code.js';
import { parseDeclarations } from '../../www/request/declarations.js';
import { expand, judge } from '../scenarios/scenario.mjs';

const event = (type, elapsedMs, more = {}) => ({ type, elapsedMs, callId: 1, attempt: 1, ...more });

/** Every scenario file, as the page has it in a browser for which all of them are. */
async function files() {
  const read = async (name) => JSON.parse(await readFile(new URL(`../scenarios/${name}`, import.meta.url), 'utf8'));
  const names = await read('index.json');
  return Promise.all(names.map(async (name) => {
    const file = await read(name);
    return { group: file.group, families: [family(name.replace('.json', ''), file, expand(file))] };
  }));
}

/** Segments as `kind start-end`. */
const drawn = (timeline) => timeline.segments.map(({ kind, start, end }) => `${kind} ${start}-${end ?? ''}`);

test('a timeline has every attempt in its parts, and the waits between them', () => {
  const timeline = new Timeline(event('call-start', 5), { idleTimeout: 100 });
  timeline.add(event('attempt-start', 6));
  assert.deepEqual(drawn(timeline), ['load 0-5', 'load 5-6', 'attempt 6-']);
  timeline.add(event('attempt-end', 16, { startMs: 6, attemptMs: 10, phase: 'headers', code: 'NETWORK_ERROR' }));
  timeline.add(event('retry', 17, { waitMs: 20 }));
  assert.deepEqual(drawn(timeline).slice(2), ['headers 6-16', 'backoff 16-']);
  timeline.add(event('attempt-start', 37, { attempt: 2 }));
  timeline.add(event('attempt-end', 200, { attempt: 2, startMs: 37, attemptMs: 163, headersMs: 13, phase: 'idle', code: 'TIMEOUT' }));
  timeline.add(event('call-end', 201, { ok: false, code: 'TIMEOUT', attempts: 2 }));
  assert.deepEqual(drawn(timeline).slice(3), ['backoff 16-37', 'headers 37-50', 'body 50-100', 'idle 100-200']);
  assert.equal(timeline.open, undefined);
  assert.equal(timeline.extent(9999), 201);
});

test('what ends before its first attempt, or in its backoff, is drawn until its end', () => {
  const hooked = new Timeline(event('call-start', 0), { hook: true });
  hooked.add(event('call-end', 30, { ok: false, attempts: 0 }));
  assert.deepEqual(drawn(hooked), ['hook 0-30']);
  const waiting = new Timeline(event('call-start', 0));
  waiting.add(event('attempt-start', 0));
  waiting.add(event('attempt-end', 9, { startMs: 0, attemptMs: 9, phase: 'headers' }));
  waiting.add(event('retry', 9, { waitMs: 500 }));
  assert.equal(waiting.extent(100), 100);
  waiting.add(event('call-end', 40, { ok: false, attempts: 1 }));
  assert.deepEqual(drawn(waiting), ['headers 0-9', 'backoff 9-40']);
});

test('a wait for a slot is drawn, before an attempt and before a retry', () => {
  const timeline = new Timeline(event('call-start', 0));
  timeline.add(event('queued', 1));
  timeline.add(event('attempt-start', 20));
  timeline.add(event('attempt-end', 30, { startMs: 20, attemptMs: 10, phase: 'headers', code: 'NETWORK_ERROR' }));
  timeline.add(event('retry', 30, { waitMs: 10 }));
  timeline.add(event('queued', 40));
  timeline.add(event('call-end', 60, { ok: false, code: 'QUEUE_TIMEOUT', attempts: 1 }));
  assert.deepEqual(drawn(timeline), ['load 0-1', 'queue 1-20', 'headers 20-30', 'backoff 30-40', 'queue 40-60']);
});

test('limits are those in force for what is under way, and those that ended an attempt', () => {
  const limits = { timeout: 1000, headersTimeout: 300, idleTimeout: 100, totalTimeout: 5000 };
  const timeline = new Timeline(event('call-start', 0));
  timeline.add(event('attempt-start', 10));
  const named = () => limitsOf(timeline, limits).map(({ name, at }) => `${name} ${at}`);
  assert.deepEqual(named(), ['totalTimeout 5000', 'headersTimeout 310', 'timeout 1010']);
  timeline.add(event('attempt-end', 310, { startMs: 10, attemptMs: 300, phase: 'headers', code: 'TIMEOUT' }));
  assert.deepEqual(named(), ['totalTimeout 5000', 'headersTimeout 310']);
  timeline.add(event('attempt-start', 400, { attempt: 2 }));
  timeline.add(event('attempt-end', 520, { attempt: 2, startMs: 400, attemptMs: 120, headersMs: 5, phase: 'idle', code: 'TIMEOUT' }));
  timeline.add(event('call-end', 520, { ok: false, attempts: 2 }));
  assert.deepEqual(named(), ['totalTimeout 5000', 'headersTimeout 310', 'idleTimeout 520', 'timeout 1400']);
});

test('the defaults of limits come from the declarations', async () => {
  const text = await readFile(new URL('../../pkg-template/options.d.ts', import.meta.url), 'utf8');
  const declarations = new Map(parseDeclarations(text));
  assert.deepEqual(limitsInForce({ options: { headersTimeout: 50, idleTimeout: false } }, declarations), {
    timeout: 10_000, headersTimeout: 50, idleTimeout: Infinity, totalTimeout: 30_000,
  });
  assert.deepEqual(limitsInForce({ options: {}, read: 'fetch' }, declarations), {
    timeout: Infinity, headersTimeout: Infinity, idleTimeout: 60_000, totalTimeout: 300_000,
  });
});

test('every option of time and retries is read from the declarations, with doc and default', async () => {
  const read = async (file) => [...parseDeclarations(await readFile(new URL(`../../pkg-template/${file}`, import.meta.url), 'utf8'))];
  const interfaces = new Map([...await read('options.d.ts'), ...await read('retry.d.ts')]);
  const names = (name) => interfaces.get(name).map((option) => option.name);
  assert.deepEqual(names('TimeOptions'), ['timeout', 'headersTimeout', 'idleTimeout', 'totalTimeout', 'minAttemptTime', 'reserve']);
  assert.deepEqual(names('RetryOptions'), [
    'limit', 'methods', 'statusCodes', 'afterStatusCodes', 'delay', 'backoffLimit', 'maxRetryAfter', 'jitter', 'retryOnTimeout', 'waitForOnline', 'shouldRetry',
  ]);
  for (const { name, doc, type } of [...interfaces.values()].flat()) assert.ok(doc && type, name);
});

test('an axis reaches over what happened and the limits near it, in round steps', () => {
  assert.equal(domain(100, [200, 5000]), 200 * 1.06);
  assert.deepEqual(new Scale(1000).ticks(5), [0, 200, 400, 600, 800]);
  assert.equal(new Scale(200).percent(50), 25);
});

test('what is typed is a literal where it is one, and text where it is none', () => {
  assert.equal(parse(''), undefined);
  assert.equal(parse('300'), 300);
  assert.equal(parse("'300'"), '300');
  assert.equal(parse('full'), 'full');
  assert.equal(parse('Infinity'), Infinity);
  assert.deepEqual(parse("['GET', 'POST']"), ['GET', 'POST']);
  for (const value of [undefined, 300, '300', null, false, Infinity, [500, 503]]) assert.deepEqual(parse(unparse(value)), value);
});

test('literals are printed as JavaScript that has their value', () => {
  const value = { plain: 1, 'not-a-name': "it's \"so\"\n", list: ['a', null], deep: { empty: {}, none: [] } };
  assert.deepEqual(new Function(`return ${print(value)}`)(), value);
  assert.deepEqual(new Function(`return ${print(value, '', 10)}`)(), value);
});

test('a fault of one\'s own fails as often as it says, then answers', () => {
  const { script: { routes: [{ steps }] } } = toScenario({ ...INITIAL, failures: 3, failureStatus: 429, retryAfter: '1' });
  assert.deepEqual(steps.map(({ status }) => status), [429, 429, 429, 200]);
  assert.deepEqual(steps[0].headers, { 'retry-after': '1' });
  for (const failure of Object.keys(FAILURES)) {
    for (const body of Object.keys(BODIES)) {
      const scenario = toScenario({ ...INITIAL, failure, body });
      assert.ok(scenario.script.routes[0].steps.length > 0, `${failure} ${body}`);
    }
  }
  assert.deepEqual(toScenario({ ...INITIAL, failure: 'refuse', failures: 2 }).origin, { resetConnections: 2 });
});

test('the code of a call is the call', () => {
  const call = { method: 'POST', options: { body: 'x', retry: { limit: 2 } }, read: 'json', abort: { after: 50, reason: 'bye' } };
  const text = code(call, 'http://127.0.0.1:1/a');
  assert.match(text, /const value = await api\.post\('http:\/\/127\.0\.0\.1:1\/a', \{ body: 'x', retry: \{ limit: 2 \}, signal: controller\.signal \}\)\.json\(\);/);
  assert.match(text, /setTimeout\(\(\) => controller\.abort\('bye'\), 50\);/);
  assert.match(code({ method: 'TRACE', options: {}, read: 'text' }, 'u'), /api\.fetch\('u', \{ method: 'TRACE', signal: controller\.signal \}\);\nconst text = await response\.text\(\)/);
  assert.match(code({ method: 'PUT', options: {}, read: 'fetch' }, 'u'), /api\.fetch\('u', \{ method: 'PUT', signal: controller\.signal \}\)/);
  assert.match(code({ method: 'GET', options: {}, read: 'none' }, 'u', 20), /length: 20/);
});

test('a case has an address of its own, by name or by number', async () => {
  const catalogue = await files();
  const { cases, families, sections } = arrange(catalogue);
  const ids = cases.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[a-z0-9-]+(\/[a-z0-9-]+)?$/);
  assert.deepEqual(cases.map(({ position }) => position), ids.map((_, index) => index + 1));
  assert.equal(named(families, '#body-stalls').variant.id, 'body-stalls');
  assert.equal(named(families, '#c01').variant.id, 'body-stalls');
  assert.equal(named(families, '#bodies-replay').variant.id, 'bodies-replay/a-text');
  assert.equal(named(families, '#bodies-replay/a-form').variant.id, 'bodies-replay/a-form');
  for (const nothing of ['', '#', '#bodies-replay/none', '#%E0']) assert.equal(named(families, nothing), undefined);
  assert.equal(cases[0].id, 'plain-answer');
  assert.deepEqual(sections.map(({ letter }) => letter), sections.map(({ letter }) => letter).sort());
  assert.ok(sections.every(({ title }) => title !== 'Further'));
});

test('what the server will do is said for every case', async () => {
  const { cases } = arrange(await files());
  for (const { id, scenario } of cases) {
    const words = serverWords(scenario);
    for (const { who, does } of words) assert.ok(who && does && !/undefined|NaN|\[object/.test(does), `${id}: ${does}`);
  }
  const one = (step) => stepWords(step);
  assert.equal(one({ commit: true, before: 'reset' }), 'does the work, resets the connection (RST) instead of answering');
  assert.equal(one({ status: 503, headers: { 'retry-after': 5 } }), 'answers 503 with retry-after: 5');
  assert.equal(one({ chunks: [{ text: '{"a":' }], end: 'hang' }), 'answers 200 with {"a":, then falls silent');
  assert.equal(one({ drip: { bytes: 1, every: 200 } }), 'answers 200 with 1 byte every 200 ms, for ever');
  assert.equal(one({ status: 401, cors: false }), 'answers 401 without CORS headers');
  assert.equal(one({ redirect: { to: '/b' } }), 'redirects with 302 to /b');
  assert.equal(one({ delay: 200, json: { a: 1 }, gzip: true }), 'waits 200 ms, answers 200 with {"a":1} (compressed)');
  assert.deepEqual(serverWords({ origin: { resetConnections: 2 }, script: { routes: [{ path: '/a', steps: [{}, { status: 404 }] }] } }), [
    { who: 'The connection', does: 'is reset before anything is read, 2 times' },
    { who: 'Request 1', does: 'answers 200' },
    { who: 'Request 2 and later', does: 'answers 404' },
  ]);
});

test('what is right is said for every case, and beside it what came', async () => {
  const { cases } = arrange(await files());
  for (const { id, scenario } of cases) {
    for (const { right } of compare(judge, scenario.expect)) assert.ok(right !== '' && !/undefined|NaN|\[object/.test(right), `${id}: ${right}`);
  }
  const report = { requests: 2, closes: 0, log: [{ route: '/a', method: 'PUT', body: 'x' }] };
  const rows = compare(
    judge,
    { ok: false, code: ['TIMEOUT', 'NETWORK_ERROR'], requests: { min: 1, max: 3 }, elapsed: { max: 2000 }, closes: 1, cause: null, paths: { '/a': 1 }, bodies: 'x' },
    { ok: false, code: 'TIMEOUT', elapsed: 1500, cause: undefined, report },
  );
  assert.deepEqual(rows.map(({ name, right, came, fits }) => [name, right, came, fits]), [
    ['Result', 'failure', 'failure', true],
    ['Code', 'TIMEOUT or NETWORK_ERROR', 'TIMEOUT', true],
    ['Requests seen', '1 to 3', '2', true],
    ['Time', 'at most 2 s', '1.5 s', true],
    ['Closed by the client', '1', '0', false],
    ['Cause', 'none', 'none', true],
    ['Requests by path', '/a: 1', '/a: 1', true],
    ['Body of each request', 'x', 'x', true],
  ]);
});

test('every event is a sentence', () => {
  const words = (type, more) => eventWords(event(type, 0, more));
  assert.equal(words('call-start', { method: 'GET', url: 'http://a.test/b' }), 'The call begins: GET http://a.test/b');
  assert.equal(words('queued'), 'It waits for a slot');
  assert.equal(words('circuit-change', { circuit: 'http://a.test', state: 'open' }), 'The circuit of http://a.test is open from now on');
  assert.equal(words('attempt-start'), 'Attempt 1 is sent');
  assert.equal(words('attempt-end', { status: 200 }), 'Attempt 1 is complete: status 200');
  assert.equal(words('attempt-end', { code: 'TIMEOUT', phase: 'headers', outcome: 'unknown' }), 'Attempt 1 fails: TIMEOUT, in phase headers, outcome unknown');
  assert.equal(words('retry', { retryCount: 2, waitMs: 1500, code: 'NETWORK_ERROR' }), 'Retry 2 follows in 1.5 s, after NETWORK_ERROR');
  assert.equal(words('call-end', { ok: true, status: 204, attempts: 2 }), 'The call succeeds with status 204 after 2 attempts');
  assert.equal(words('call-end', { ok: false, code: 'TIMEOUT', attempts: 1, outcome: 'unknown', retryStopped: 'policy' }), 'The call fails: TIMEOUT, after 1 attempt, outcome unknown, no retry because of policy');
});

test('a tour counts what became of its cases, and stops where it is stopped', async () => {
  const cases = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  const states = { a: 'expected', b: 'unexpected', c: 'skipped', d: 'expected' };
  const whole = new Tour(cases);
  assert.ok(await whole.run(async ({ id }) => ({ state: states[id] }), () => {}));
  assert.match(tourWords(whole), /^4 cases in .*: 2 as expected, 1 not, 1 skipped\.$/);
  const part = new Tour(cases);
  assert.ok(!(await part.run(async ({ id }) => ({ state: id === 'c' ? 'stopped' : 'expected' }), () => {})));
  assert.equal(tourWords(part), 'Stopped after 2 of 4 cases: 2 as expected, 0 not.');
  const halted = new Tour(cases);
  await halted.run(async () => {
    halted.stop();
    return { state: 'expected' };
  }, () => {});
  assert.equal(halted.outcomes.size, 1);
});

test('several cases stand as the worst of them does', () => {
  assert.equal(together(['fresh', 'expected']), 'expected');
  assert.equal(together(['expected', 'unexpected', 'skipped']), 'unexpected');
  assert.equal(together(['expected', 'running']), 'running');
  assert.equal(together(['fresh', 'fresh']), 'fresh');
});

test('a call alone is an expression, broken into lines where it is long', () => {
  assert.equal(expression({ method: 'GET', options: {}, read: 'json' }, 'u'), "api.get('u').json()");
  assert.equal(expression({ method: 'PUT', options: { body: 'x' }, read: 'fetch' }, 'u'), "(await api.fetch('u', { body: 'x', method: 'PUT' })).text()");
  assert.equal(expression({ method: 'GET', options: { retry: { limit: 2 }, totalTimeout: 10_000 }, read: 'none' }, 'http://127.0.0.1:1/a'),
    "api.get('http://127.0.0.1:1/a', {\n  retry: { limit: 2 },\n  totalTimeout: 10000,\n})");
  assert.match(expression({ method: 'PUT', argument: 'request', options: { body: 'x' }, read: 'fetch' }, 'u'), /new Request\('u', \{ method: 'PUT', body: 'x' \}\)/);
});

test('the history has every call in the second of its end, and how things stood', () => {
  const history = new History(3);
  history.settle(100, endOf(undefined));
  history.settle(999, endOf({ code: 'TIMEOUT' }));
  history.settle(1000, endOf({ code: 'CIRCUIT_OPEN' }));
  history.settle(9000, endOf({ code: 'QUEUE_FULL' }));
  history.sample(200, { inFlight: 3, waiting: 0, state: 'closed' });
  history.sample(700, { inFlight: 1, waiting: 2, state: 'open' });
  assert.deepEqual(history.seconds, [
    { second: 0, ok: 1, failed: 1, refused: 0, inFlight: 3, waiting: 2, state: 'open' },
    { second: 1, ok: 0, failed: 0, refused: 1 },
    { second: 2, ok: 0, failed: 0, refused: 1 },
  ]);
  assert.deepEqual(history.seen.map(({ second }) => second), [0]);
  assert.equal(history.total('refused'), 2);
});

test('metrics are said in words, also before there are any', () => {
  const none = { circuits: [], waiting: 0, queueMs: { p95: null }, attemptMs: { p50: null, p95: null, p99: null } };
  const options = { circuitBreaker: { failureThreshold: 5 }, queue: { limit: 20, concurrency: 4 } };
  assert.equal(stateOf(none), 'closed');
  assert.deepEqual(circuitReading(none, options), { value: 'closed', note: '0 of 5 failures in a row' });
  assert.deepEqual(circuitReading({ circuits: [{ key: 'a', state: 'open', failures: 5, retryAfterMs: 1200 }] }, options), { value: 'open', note: 'asks again in 1.2 s' });
  assert.deepEqual(queueReading(none, options), { value: '0', note: 'of 20 places' });
  assert.deepEqual(queueReading({ waiting: 3, queueMs: { p95: 40 } }, options), { value: '3', note: 'of 20 places; waits 40 ms (p95)' });
  assert.deepEqual(latencyReading(none), { value: '–', note: 'p95 –, p99 –' });
  assert.deepEqual(latencyReading({ attemptMs: { p50: 20, p95: 300, p99: 1100 } }), { value: '20 ms', note: 'p95 300 ms, p99 1.1 s' });
});
