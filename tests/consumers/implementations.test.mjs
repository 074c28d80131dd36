// Other implementations of fetch, and libraries that replace or instrument it, in Node: the real packages.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

import { entry, fileUrl, packageDirectory } from '../npm/harness/places.mjs';

const directory = join(process.env.STEADFETCH_CONSUMERS ?? 'target/steadfetch/consumers', 'implementations');
const require = createRequire(pathToFileURL(join(directory, 'package.json')));
const load = (name) => import(pathToFileURL(require.resolve(name)));

const { callInfo, createClient, errorInfo } = await import(fileUrl(join(packageDirectory, entry('node'))));

const JSON_TYPE = { 'content-type': 'application/json' };
const ANSWERS = {
  '/json': (_, response) => {
    response.writeHead(200, JSON_TYPE).write('{"a"');
    setImmediate(() => response.end(':1}'));
  },
  '/form': (_, response) => response.writeHead(200, { 'content-type': 'application/x-www-form-urlencoded' }).end('a=1'),
  '/missing': (_, response) => response.writeHead(404, JSON_TYPE).end('{"e":1}'),
  '/stall': (_, response) => response.writeHead(200, JSON_TYPE).write('{"a"'),
  '/hang': () => {},
  '/echo': async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ method: request.method, header: request.headers['x-a'], body }));
  },
};

let server;
let base;

before(async () => {
  server = createServer((request, response) => ANSWERS[request.url](request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${server.address().port}/`;
});
after(() => {
  server.close();
  server.closeAllConnections();
});

const client = (fetch, options) => createClient({ baseUrl: base, fetch, retry: 0, ...options });

/** The code and the phase of what a call rejects with. */
const failure = async (promise) => {
  try {
    await promise;
  } catch (error) {
    return [errorInfo(error)?.code, errorInfo(error)?.phase].join(' ');
  }
  throw new Error('it was not rejected');
};

const happyWindow = async () => new (await load('happy-dom')).Window({ url: base });

/** What gives each implementation: `fetch`, and its `Request`. */
const IMPLEMENTATIONS = {
  'node-fetch 2': async () => {
    const { default: fetch, Request } = await load('node-fetch-2');
    return { fetch, Request };
  },
  'node-fetch 3': async () => {
    const { default: fetch, Request } = await load('node-fetch-3');
    return { fetch, Request };
  },
  'undici 6': () => load('undici-6'),
  'undici 7': () => load('undici-7'),
  'cross-fetch': async () => {
    const { fetch, Request } = (await load('cross-fetch')).default;
    return { fetch, Request };
  },
  'happy-dom': async () => {
    const window = await happyWindow();
    // It reads no Headers but its own, and says nothing: they are handed over as pairs.
    const fetch = (input, init) => window.fetch(input, { ...init, ...(init.headers && { headers: [...new Headers(init.headers)] }) });
    return { fetch, Request: window.Request };
  },
};

for (const [name, give] of Object.entries(IMPLEMENTATIONS)) {
  describe(name, () => {
    let fetch;
    let ForeignRequest;
    before(async () => ({ fetch, Request: ForeignRequest } = await give()));

    for (const options of [{}, { idleTimeout: 2_000 }]) {
      it(`is read by every reader, with ${JSON.stringify(options)}`, async () => {
        const events = [];
        const api = client(fetch, { ...options, onEvent: ({ type, ok }) => type === 'call-end' && events.push(ok) });
        const expected = { json: { a: 1 }, text: '{"a":1}', bytes: 7, arrayBuffer: 7, blob: 7 };
        for (const [how, value] of Object.entries(expected)) {
          const look = (got) => got.size ?? got.byteLength ?? got;
          assert.deepEqual(look(await api.get('json')[how]()), value, `${how} of a shortcut`);
          const response = await api.fetch('json');
          assert.equal(callInfo(response).attempts, 1);
          assert.deepEqual(look(await response[how]()), value, `${how} of api.fetch`);
        }
        assert.equal((await api.get('form').formData()).get('a'), '1');
        const pieces = [];
        for await (const piece of api.get('json').stream()) pieces.push(Buffer.from(piece));
        assert.equal(Buffer.concat(pieces).toString(), '{"a":1}');
        assert.deepEqual(events, Array(12).fill(true));
      });
    }

    it('keeps the limits of its bodies', async () => {
      assert.equal(await failure(client(fetch, { timeout: 200 }).get('hang').text()), 'TIMEOUT headers');
      assert.equal(await failure(client(fetch, { timeout: 200, idleTimeout: 200 }).get('stall').text()), 'TIMEOUT body');
      assert.equal(await failure(client(fetch, { timeout: 9_000, idleTimeout: 200 }).get('stall').text()), 'TIMEOUT idle');
      assert.equal(await failure(client(fetch, { maxResponseBytes: 3 }).get('json').text()), 'RESPONSE_TOO_LARGE body');
    });

    it('ends as the caller aborts, whatever its own error is', async () => {
      for (const path of ['hang', 'stall']) {
        const controller = new AbortController();
        const call = client(fetch).get(path, { signal: controller.signal }).text();
        setTimeout(() => controller.abort('mine'), 50);
        const error = await call.catch((thrown) => thrown);
        assert.equal(error.code, 'ABORTED');
        assert.equal(error.cause, 'mine');
      }
    });

    it('gives the body of an error, and says when a body is read twice', async () => {
      const error = await client(fetch).get('missing').json().catch((thrown) => thrown);
      assert.deepEqual([error.code, error.status, error.data], ['HTTP_ERROR', 404, { e: 1 }]);
      assert.deepEqual(await error.response.json(), { e: 1 });
      const response = await client(fetch).get('json');
      await response.text();
      assert.equal(await failure(response.text()), 'UNEXPECTED_RESPONSE body');
      const own = await client(fetch).fetch('json');
      await own.text();
      await assert.rejects(own.text());
    });

    it('sends what it is told', async () => {
      const sent = await client(fetch).post('echo', { json: { b: 1 }, headers: { 'x-a': '1' } }).json();
      assert.deepEqual(sent, { method: 'POST', header: '1', body: '{"b":1}' });
    });

    it('is the global fetch too', async () => {
      const real = globalThis.fetch;
      globalThis.fetch = fetch;
      try {
        assert.deepEqual(await client().get('json').json(), { a: 1 });
      } finally {
        globalThis.fetch = real;
      }
    });

    it('has Requests that the global fetch sends', async () => {
      for (const start of [(request) => client().put(request).json(), async (request) => (await client().fetch(request)).json()]) {
        const request = new ForeignRequest(`${base}echo`, { method: 'PUT', headers: { 'x-a': '2' }, body: 'abc' });
        assert.deepEqual(await start(request), { method: 'PUT', header: '2', body: 'abc' });
      }
    });
  });
}

describe('libraries around fetch', () => {
  it('whatwg-fetch over the XMLHttpRequest of jsdom', async () => {
    const { JSDOM } = await load('jsdom');
    const { window } = new JSDOM('', { url: base });
    globalThis.XMLHttpRequest = window.XMLHttpRequest;
    try {
      const { fetch } = await load('whatwg-fetch');
      for (const options of [{}, { idleTimeout: 2_000 }]) {
        assert.deepEqual(await client(fetch, options).get('json').json(), { a: 1 });
        assert.equal(await client(fetch, options).get('json').text(), '{"a":1}');
        const response = await client(fetch, options).fetch('json');
        assert.deepEqual(await response.json(), { a: 1 });
        await assert.rejects(response.text(), TypeError);
      }
      assert.equal(await failure(client(fetch, { timeout: 200 }).get('hang').text()), 'TIMEOUT headers');
      const error = await client(fetch).get('missing').json().catch((thrown) => thrown);
      assert.deepEqual([error.code, error.data], ['HTTP_ERROR', { e: 1 }]);
    } finally {
      delete globalThis.XMLHttpRequest;
      window.close();
    }
  });

  it('signals of jsdom and happy-dom', async () => {
    const { JSDOM } = await load('jsdom');
    for (const { AbortController: Controller } of [new JSDOM('').window, await happyWindow()]) {
      const controller = new Controller();
      const call = client().get('hang', { signal: controller.signal }).text();
      setTimeout(() => controller.abort('mine'), 50);
      const error = await call.catch((thrown) => thrown);
      assert.equal(error.code, 'ABORTED');
      assert.equal(error.cause, controller.signal.reason);
    }
  });

  it('bodies of other implementations: those that fetch knows are sent, the others are refused before', async () => {
    const { JSDOM } = await load('jsdom');
    const { window: page } = new JSDOM('');
    const happy = await happyWindow();
    const formOf = ({ FormData }) => {
      const form = new FormData();
      form.append('a', '1');
      return form;
    };
    const isSent = async (body, text) => {
      for (const send of [client().post('echo', { body }).json(), client().fetch('echo', { method: 'POST', body }).then((got) => got.json())]) {
        const got = await send;
        assert.ok(got.body.includes(text), `${text}: ${got.body}`);
      }
    };
    for (const form of [page, await load('undici-6'), await load('undici-7'), await load('node-fetch-3')].map(formOf)) await isSent(form, 'name="a"');
    await isSent(new (await load('node-fetch-3')).Blob(['abc']), 'abc');
    await isSent(new page.URLSearchParams('a=1'), 'a=1');
    await isSent(new happy.URLSearchParams('a=1'), 'a=1');
    for (const body of [formOf(happy), new page.Blob(['abc']), new page.File(['abc'], 'name'), new happy.Blob(['abc'])]) {
      assert.equal(await failure(client().post('echo', { body }).json()), 'INVALID_REQUEST ');
    }
  });

  it('mocks of msw', async () => {
    const [{ http, HttpResponse }, { setupServer }] = [await load('msw'), await load('msw/node')];
    const mock = setupServer(
      http.get('http://mocked.test/json', () => HttpResponse.json({ a: 1 })),
      http.get('http://mocked.test/missing', () => HttpResponse.json({ e: 1 }, { status: 404 })),
      http.get('http://mocked.test/down', () => HttpResponse.error()),
    );
    mock.listen({ onUnhandledRequest: 'bypass' });
    try {
      const api = createClient({ baseUrl: 'http://mocked.test/', retry: 0 });
      assert.deepEqual(await api.get('json').json(), { a: 1 });
      assert.equal(await (await api.fetch('json')).text(), '{"a":1}');
      const error = await api.get('missing').json().catch((thrown) => thrown);
      assert.deepEqual(await error.response.json(), { e: 1 });
      assert.equal(await failure(api.get('down').json()), 'NETWORK_ERROR headers');
    } finally {
      mock.close();
    }
  });

  it('mocks of nock', async () => {
    const { default: nock } = await load('nock');
    try {
      nock('http://mocked.test').get('/json').reply(200, { a: 1 });
      assert.deepEqual(await createClient({ baseUrl: 'http://mocked.test/' }).get('json').json(), { a: 1 });
    } finally {
      nock.restore();
    }
  });

  for (const order of ['before', 'after']) {
    it(`zone.js, loaded ${order} the package`, async () => {
      const lines = [
        `const { createClient, ready } = await import(${JSON.stringify(fileUrl(join(packageDirectory, entry('node'))))});`,
        order === 'after' && 'await ready();',
      ].filter(Boolean);
      const zone = `await import(${JSON.stringify(String(pathToFileURL(require.resolve('zone.js/node'))))});`;
      if (order === 'before') lines.unshift(zone);
      else lines.push(zone);
      const script = `${lines.join('\n')}
        const api = createClient({ baseUrl: ${JSON.stringify(base)}, retry: 0 });
        const pieces = [];
        for await (const piece of api.get('json').stream()) pieces.push(Buffer.from(piece).toString());
        const error = await api.get('missing').json().catch((thrown) => thrown);
        const results = await Promise.all([
          api.get('json').json(), api.get('json').text(), api.get('json').result(), api.fetch('json').then((one) => one.json()),
        ]);
        console.log(JSON.stringify([results[0], results[1], results[2].data, results[3], pieces.join(''), error.code]));
        process.exit();`;
      const { stdout } = await new Promise((resolve, reject) => {
        execFile(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 }, (error, out, err) =>
          error ? reject(new Error(err)) : resolve({ stdout: out }));
      });
      assert.deepEqual(JSON.parse(stdout), [{ a: 1 }, '{"a":1}', { a: 1 }, { a: 1 }, '{"a":1}', 'HTTP_ERROR']);
    });
  }
});
