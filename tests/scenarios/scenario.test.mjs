// Reading and judging scenarios. Run by tests/server/tests/client.rs.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applies, awaited, expand, expected, judge, place } from './scenario.mjs';

const report = { requests: 1, closes: 0, commits: 0, preflights: 0, maxOpen: 1, log: [] };

test('rows are merged with their file', () => {
  const file = {
    name: 'a', call: { path: '/a', options: { retry: 1, json: 1 } }, expect: { ok: true },
    rows: [{ row: 'b', call: { options: { retry: 2 } } }, { row: 'c', script: {}, expect: { requests: 1 } }],
  };
  const [first, second] = expand(file);
  assert.deepEqual(first, { name: 'a: b', call: { path: '/a', options: { retry: 2 } }, expect: { ok: true } });
  assert.deepEqual(second.expect, { ok: true, requests: 1 });
  assert.deepEqual(expand({ name: 'alone' }), [{ name: 'alone' }]);
});

test('engines and APIs choose', () => {
  assert.ok(applies({}, 'node', 'rust'));
  assert.ok(!applies({ needs: ['chromium'] }, 'node', 'rust'));
  assert.ok(!applies({ apis: ['javascript'] }, 'chromium', 'rust'));
  assert.ok(!applies({ before: [] }, 'chromium', 'rust'));
  assert.ok(applies({ before: [] }, 'chromium', 'rust', { before: true }));
  assert.deepEqual(expected({ expect: { code: 'A', ok: false }, in: { firefox: { code: 'B' } } }, 'firefox'),
    { code: 'B', ok: false });
});

test('what is as expected makes no difference', () => {
  const expect = {
    ok: true, value: { a: [1, { b: null }] }, status: [200, 201], elapsed: { min: 10, max: 20 }, code: null,
    requests: 1, closes: { max: 0 }, paths: { '/a': 1, '/b': 0 }, bodies: 'x',
  };
  const log = [{ route: '/a', method: 'POST', body: 'x' }];
  const observed = { ok: true, value: { a: [1, { b: null }] }, status: 201, elapsed: 10, report: { ...report, log } };
  assert.deepEqual(judge(expect, observed), []);
});

test('every kind of difference is told', () => {
  const log = [{ route: '/a', method: 'POST', body: 'y' }];
  const observed = { ok: false, value: 'ab', code: 'TIMEOUT', attempts: 2, cause: null, report: { ...report, log } };
  for (const expect of [
    { ok: true }, { value: 'abc' }, { contains: { a: 1 } }, { repeated: { text: 'a', times: 2 } }, { code: ['A', 'B'] },
    { code: null }, { attempts: { max: 1 } }, { elapsed: { max: 1 } }, { requests: 2 }, { paths: { '/a': 2 } },
    { bodies: 'x' }, { cause: 'bye' }, { phase: 'body' },
  ]) {
    assert.equal(judge(expect, observed).length, 1, JSON.stringify(expect));
  }
});

test('the least that is expected of the server is waited for', () => {
  assert.deepEqual(awaited({ requests: { min: 2, max: 3 }, closes: 1, commits: 0 }), { open: 0, requests: 2, closes: 1 });
});

test('placeholders name the origins that were opened', async () => {
  const opened = [];
  const scripts = [];
  const server = {
    async open(options) {
      opened.push(options);
      const origin = `http://127.0.0.1:${opened.length}`;
      return { origin, script: (script) => scripts.push(script), close: async () => opened.pop() };
    },
  };
  const scenario = {
    origin: { refuse: true },
    others: { login: { script: { routes: [] } } },
    script: { routes: [{ path: '/a', steps: [{ redirect: { to: '{login.origin}/x' } }] }] },
    call: { url: 'http://u@{host}/{unknown}' },
  };
  const placed = await place(scenario, server);
  assert.equal(placed.scenario.call.url, 'http://u@127.0.0.1:2/{unknown}');
  assert.equal(scripts[0].routes[0].steps[0].redirect.to, 'http://127.0.0.1:1/x');
  assert.deepEqual(opened, [{ script: { routes: [] } }, { refuse: true }]);
  await placed.close();
  assert.deepEqual(opened, []);
});
