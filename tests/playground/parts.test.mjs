// The parts of the playground that need no page.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { limitsInForce, limitsOf } from '../../www/draw/limits.js';
import { domain, Scale } from '../../www/draw/scale.js';
import { Timeline } from '../../www/draw/timeline.js';
import { BODIES, FAILURES, INITIAL, toScenario } from '../../www/fault/settings.js';
import { parse, print, unparse } from '../../www/literal.js';
import { code } from '../../www/panels/code.js';
import { parseDeclarations } from '../../www/request/declarations.js';

const event = (type, elapsedMs, more = {}) => ({ type, elapsedMs, callId: 1, attempt: 1, ...more });

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
  assert.deepEqual(limitsInForce({ headersTimeout: 50, idleTimeout: false }, declarations), {
    timeout: 10_000, headersTimeout: 50, idleTimeout: Infinity, totalTimeout: 30_000,
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
