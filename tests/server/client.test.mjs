// The client, in Node. Run by tests/client.rs, which says where the server is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ControlError, connect, spawn, toScript } from './client.mjs';

let server;
before(async () => {
  server = await spawn({ binary: process.env.FAULT_SERVER, statics: { '/server': import.meta.dirname ?? '.' } });
});
after(() => server.stop());

test('an origin is opened, scripted, asked and closed', async () => {
  const origin = await server.open({ script: { '/a': [{ status: 503 }, { json: { a: 1 } }] } });
  assert.equal((await fetch(origin.url('/a'))).status, 503);
  assert.deepEqual(await (await fetch(origin.url('/a'))).json(), { a: 1 });
  const report = await origin.wait({ completed: 2 });
  assert.deepEqual(report.log.map((entry) => entry.step), [0, 1]);
  await origin.script({ 'POST /b': { echo: true } });
  const echo = await (await fetch(origin.url('/b'), { method: 'POST', body: 'x' })).json();
  assert.equal(echo.body, 'x');
  await origin.close();
  await assert.rejects(fetch(origin.url('/b')));
});

test('a gate is released and a closed listener refuses', async () => {
  const origin = await server.open({ script: { '/a': { gate: 'go', body: 'gone' } } });
  const answer = fetch(origin.url('/a')).then((response) => response.text());
  await origin.wait({ requests: 1 });
  await origin.release('go');
  assert.equal(await answer, 'gone');
  await origin.listening(false);
  await assert.rejects(fetch(origin.url('/a')));
  await origin.listening(true);
  assert.equal((await fetch(origin.url('/a'))).status, 200);
  await origin.close();
});

test('an abort is seen by the server', async () => {
  const origin = await server.open({ script: { '/a': { before: 'hang' } } });
  const controller = new AbortController();
  const call = fetch(origin.url('/a'), { signal: controller.signal });
  await origin.wait({ requests: 1 });
  controller.abort();
  await assert.rejects(call, { name: 'AbortError' });
  assert.equal((await origin.wait({ closes: 1 })).log[0].state, 'closed');
  await origin.close();
});

test('waiting in vain rejects with what was seen', async () => {
  const origin = await server.open();
  await assert.rejects(origin.wait({ requests: 1, timeout: 20 }), (error) => {
    assert.equal(error.name, 'WaitTimeout');
    assert.equal(error.report.requests, 0);
    return true;
  });
  await origin.close();
});

test('a mistake in a script is told', async () => {
  const origin = await server.open();
  const wrong = origin.script({ '/a': { statsu: 200 } });
  await assert.rejects(wrong, (error) => error instanceof ControlError && error.status === 400);
  await origin.close();
});

test('a second client finds the same server', async () => {
  const { pid } = await (await connect(`${server.control}/`)).info();
  assert.equal(pid, (await server.info()).pid);
});

test('a binary that does not exist is told', async () => {
  await assert.rejects(spawn({ binary: `${process.env.FAULT_SERVER}-missing` }), /did not start/);
});

test('all shapes of a script mean the same', () => {
  const routes = [{ path: '/a', method: 'GET', steps: [{ status: 500 }] }];
  assert.deepEqual(toScript({ 'GET /a': { status: 500 } }), { routes });
  assert.deepEqual(toScript(routes), { routes });
  assert.deepEqual(toScript({ routes }), { routes });
});
