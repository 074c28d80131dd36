// Events, errors and call infos have the members that are declared: every required one, and none that is not declared.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import typescript from 'typescript-5-4';

import { unpackedPackage } from './consumers/package.mjs';

const { directory, remove } = await unpackedPackage();
after(remove);
const { callInfo, createClient } = await import(pathToFileURL(join(directory, 'node.js')));

/** The members of the interfaces of a declaration file: name of the interface -> name of the member -> is it optional. */
function interfacesOf(file) {
  const text = readFileSync(join(directory, file), 'utf8');
  const { statements } = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
  const members = (node) => node.members.map((member) => [member.name.getText(), !!member.questionToken]);
  return new Map(
    statements.filter(typescript.isInterfaceDeclaration).map((node) => [node.name.text, new Map(members(node))]),
  );
}

/** A member with the value undefined counts as left out. */
function assertShape(value, declared, what) {
  const found = Object.getOwnPropertyNames(value).filter((name) => value[name] !== undefined);
  const required = [...declared].filter(([, isOptional]) => !isOptional).map(([name]) => name);
  assert.deepEqual(required.filter((name) => !found.includes(name)), [], `${what}: missing`);
  assert.deepEqual(found.filter((name) => !declared.has(name)), [], `${what}: not declared`);
}

const answers = (...list) => async () => {
  const next = list.length > 1 ? list.shift() : list[0];
  if (next instanceof Error) throw next;
  return next.clone();
};
const response = (status, body, headers) => new Response(body, { status, headers });

test('events', async () => {
  const declared = interfacesOf('events.d.ts');
  const byType = {
    'call-start': 'CallStartEvent',
    queued: 'QueuedEvent',
    'attempt-start': 'AttemptStartEvent',
    'attempt-end': 'AttemptEndEvent',
    retry: 'RetryEvent',
    'circuit-change': 'CircuitChangeEvent',
    refresh: 'RefreshEvent',
    'call-end': 'CallEndEvent',
  };
  const events = [];
  const api = createClient({
    baseUrl: 'https://api.test/',
    fetch: answers(response(503), new TypeError('lost'), response(200, '1')),
    retry: { statusCodes: [503], delay: 0 },
    onEvent: (event) => events.push(event),
  });
  assert.equal(await api.get('a').json(), 1);
  await api.get('b', { timeout: 0 }).result();
  const guarded = api.extend({
    fetch: answers(new TypeError('lost')),
    retry: 0,
    queue: { concurrency: 1 },
    circuitBreaker: { failureThreshold: 1 },
  });
  await Promise.allSettled([guarded.get('c').json(), guarded.get('d').json()]);
  const auth = { getToken: () => 'old', refreshToken: () => 'new' };
  await api.extend({ auth, fetch: answers(response(401), response(200, '1')) }).get('e').json();
  for (const event of events) {
    const shape = new Map([...declared.get('EventBase'), ...declared.get(byType[event.type])]);
    // Declared as possibly undefined: required, but it may have that value.
    shape.set('phase', true);
    assertShape(event, shape, event.type);
  }
  assert.deepEqual([...new Set(events.map(({ type }) => type))].sort(), Object.keys(byType).sort());
});

const FAILURES = {
  InvalidOptionError: (api) => api.get('a', { timeout: 0 }).json(),
  InvalidRequestError: (api) => api.get('https://user:secret@api.test/').json(),
  CallbackError: (api) => api.get('a', { hooks: { beforeRequest: [() => { throw new Error('no'); }] } }).json(),
  NetworkError: (api) => api.get('a', { retry: 0, fetch: answers(new TypeError('lost')) }).json(),
  TimeoutError: (api) => api.get('a', { timeout: 20, fetch: () => new Promise(() => {}) }).json(),
  DeadlineExceededError: (api) => api.get('a', { totalTimeout: 20, fetch: () => new Promise(() => {}) }).json(),
  AbortedError: (api) => api.get('a', { signal: AbortSignal.abort(new Error('enough')) }).json(),
  HTTPError: (api) => api.get('a', { fetch: answers(response(422, '{}', { 'content-type': 'application/json' })) }).json(),
  ParseError: (api) => api.get('a', { fetch: answers(response(200, '{')) }).json(),
  UnexpectedResponseError: (api) => {
    const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'no' }] }) } };
    return api.get('a', { fetch: answers(response(200, '{}')) }).json(schema);
  },
  AuthRefreshFailedError: (api) => {
    const auth = { getToken: () => 'old', refreshToken: () => null };
    return api.extend({ auth, fetch: answers(response(401)) }).get('a').json();
  },
  ResponseTooLargeError: (api) => api.get('a', { maxResponseBytes: 1, fetch: answers(response(200, '{}')) }).json(),
};

for (const [name, start] of Object.entries(FAILURES)) {
  test(`the error ${name}`, async () => {
    const declared = interfacesOf('errors.d.ts');
    const api = createClient({ baseUrl: 'https://api.test/', fetch: answers(response(200, '1')) });
    const error = await start(api).then(() => assert.fail('it went well'), (reason) => reason);
    const own = new Map([...declared.get('ErrorInfo'), ...declared.get(name)]);
    if (name === 'HTTPError') assert.deepEqual(error.data, {});
    // What every Error has, and the brand by which copies of the package know each other's.
    assertShape(error, new Map([...own, ['name', true], ['message', true], ['stack', true]]), name);
    for (const attempt of error.attempts) assertShape(attempt, declared.get('AttemptInfo'), 'attempts');
    if (error.request) assertShape(error.request, declared.get('RequestSummary'), 'request');
  });
}

test('callInfo', async () => {
  const api = createClient({ fetch: answers(response(200, '1', { 'x-request-id': '7', 'server-timing': 'db;dur=5' })) });
  const info = callInfo(await api.fetch('https://api.test/'));
  assertShape(info, interfacesOf('response.d.ts').get('CallInfo'), 'callInfo');
  assert.deepEqual([info.requestId, info.serverTiming], ['7', 'db;dur=5']);
});
