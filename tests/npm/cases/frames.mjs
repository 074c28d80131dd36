// Pages with frames: what belongs to the realm of another window, and windows that go away.

import { BROWSERS } from '../harness/hosts.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };

/** A frame of the same origin, whose document is there. */
async function frameOf(path = '/empty') {
  const frame = Object.assign(document.createElement('iframe'), { src: path });
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  return frame;
}

const page = (script) => ({
  body: `<!doctype html><title>frame</title><script type="module">${script}</script>`,
  headers: { 'content-type': 'text/html', 'cache-control': 'no-cache', connection: 'close' },
});
const EMPTY = page('');

/** A case with a frame, which is gone at its end. */
const withFrame = (name, run, { script } = {}) => ({
  name: `frames: ${name}`,
  hosts: BROWSERS,
  async run(t) {
    await t.home.script({
      '/empty': EMPTY,
      '/frame': page(script ? script(t.env.modules.package) : ''),
      '/json': { body: '{"a":1}', headers: JSON_TYPE },
      '/bad': { body: '{', headers: JSON_TYPE },
      '/missing': { status: 404, body: '{"code":7}', headers: JSON_TYPE },
      '/slow': { chunks: [{ text: 'ab' }], end: 'hang' },
      '/hang': { before: 'hang' },
      '/echo': { echo: true },
      '/flaky': [{ status: 503 }, { body: '{"a":1}', headers: JSON_TYPE }],
    });
    const frame = await frameOf(script ? '/frame' : '/empty');
    try {
      await run(t, frame.contentWindow, frame);
    } finally {
      frame.remove();
    }
  },
});

/** The window is of another realm, which is what each case is about. */
const notOurs = (t, object, constructor) => t.ok(!(object instanceof constructor), `${constructor.name} of another realm`);

export default [
  withFrame('the fetch of another window gives its responses to every reader, with all limits', async (t, view) => {
    const fetch = (...given) => view.fetch(...given);
    const api = t.client({ fetch });
    t.same(await t.works(() => api.get('json').json()), { a: 1 });
    t.equal(await t.works(() => api.get('json').text()), '{"a":1}');
    t.equal((await t.works(() => api.get('json').bytes())).length, 7);
    t.equal((await t.works(() => api.get('json').blob())).size, 7);
    let streamed = 0;
    for await (const piece of api.get('json').stream()) streamed += piece.length;
    t.equal(streamed, 7);
    const response = await t.works(() => api.fetch('json'));
    notOurs(t, response, Response);
    t.ok(response instanceof view.Response, 'the object of that window');
    t.equal(t.lib.callInfo(response).attempts, 1);
    t.same(await t.works(() => response.json()), { a: 1 });
    t.equal(t.lib.callInfo(await t.read(() => t.client({ fetch, retry: { limit: 1, delay: 1, statusCodes: [503] } }).fetch('flaky'))).attempts, 2);
    await t.fails(() => api.get('bad').json(), { code: 'PARSE_ERROR' });
    t.same((await t.fails(() => api.get('missing').json(), { code: 'HTTP_ERROR', status: 404 })).data, { code: 7 });
    await t.fails(() => t.client({ fetch, maxResponseBytes: 3 }).get('json').text(), { code: 'RESPONSE_TOO_LARGE' });
    await t.fails(() => t.strict({ fetch }).get('slow').text(), { code: 'TIMEOUT', phase: 'idle' }, [300, 1_500]);
    const late = await t.works(() => t.strict({ fetch }).fetch('slow'));
    await t.fails(() => late.text(), { code: 'TIMEOUT', phase: 'idle' }, [0, 1_500]);
    await t.fails(() => t.client({ fetch, timeout: 300 }).get('hang').text(), { code: 'TIMEOUT', phase: 'headers' }, [300, 1_500]);
    await t.home.wait({ path: '/hang', closes: 1 });
  }),

  withFrame('what is sent may be made of objects of another window', async (t, view) => {
    const api = t.client();
    const echoed = async (options) => t.works(() => api.post('echo', options).json());
    const bytes = new view.TextEncoder().encode('abc');
    const params = new view.URLSearchParams({ a: 'b' });
    const form = new view.FormData();
    form.set('a', new view.Blob(['abc']), 'f.txt');
    notOurs(t, bytes, Uint8Array);
    notOurs(t, params, URLSearchParams);
    notOurs(t, form, FormData);
    t.equal((await echoed({ body: bytes })).body, 'abc');
    t.equal((await echoed({ body: bytes.buffer })).body, 'abc');
    t.equal((await echoed({ body: new view.DataView(bytes.buffer, 1) })).body, 'bc');
    t.equal((await echoed({ body: new view.Blob(['abc']) })).body, 'abc');
    t.equal((await echoed({ body: params })).body, 'a=b');
    t.match((await echoed({ body: form })).body, /filename="f.txt"[^]*abc/u);
    t.equal((await echoed({ json: view.JSON.parse('{"a":[1]}') })).body, '{"a":[1]}');
    t.equal((await echoed({ form: view.Object.assign(new view.Object(), { a: 'b' }) })).body, 'a=b');
    t.equal((await echoed({ headers: new view.Headers({ 'x-a': '1' }) })).headers['x-a'], '1');
    t.equal((await echoed({ headers: new view.Array(new view.Array('x-a', '1')) })).headers['x-a'], '1');
    t.equal((await t.works(() => api.get('echo', { searchParams: params }).json())).url, '/echo?a=b');
    t.equal((await t.works(() => api.get(new view.URL('/echo?c=d', view.location.href)).json())).url, '/echo?c=d');
    const request = new view.Request('/echo', { method: 'PUT', body: 'abc', headers: { 'x-a': '2' } });
    notOurs(t, request, Request);
    for (const start of [(given) => api.put(given), (given) => api.fetch(given)]) {
      const { method, body, headers } = await (await t.works(() => start(request.clone()))).json();
      t.same({ method, body, a: headers['x-a'] }, { method: 'PUT', body: 'abc', a: '2' });
    }
    t.equal((await t.works(() => t.lib.createClient(view.Object.assign(new view.Object(), { baseUrl: t.home.origin })).get('json').json())).a, 1);
  }),

  withFrame('signals and errors of another window are told apart like those of this one', async (t, view) => {
    const controller = new view.AbortController();
    notOurs(t, controller.signal, AbortSignal);
    const call = t.client().get('hang', { signal: controller.signal }).json();
    call.catch(() => {});
    await t.home.wait({ path: '/hang', requests: 1 });
    const reason = new view.Error('enough');
    controller.abort(reason);
    t.equal((await t.fails(() => call, { code: 'ABORTED', outcome: 'unknown' })).cause, reason);
    await t.home.wait({ path: '/hang', closes: 1 });
    const failing = (error) => t.client({ fetch: () => Promise.reject(error) }).get('a');
    await t.fails(() => failing(new view.TypeError('Failed to fetch')), { code: 'NETWORK_ERROR' });
    await t.fails(() => failing(new view.ReferenceError('x')), { code: 'CALLBACK_ERROR' });
    const parseJson = () => view.JSON.parse('{');
    await t.fails(() => t.client({ parseJson }).get('json').json(), { code: 'PARSE_ERROR' });
    const refuses = { '~standard': { version: 1, vendor: 'x', validate: () => view.JSON.parse('{"issues":[{"message":"no"}]}') } };
    await t.fails(() => t.client().get('json').json(refuses), { code: 'UNEXPECTED_RESPONSE' });
    const hooks = { beforeRequest: [() => { throw new view.Error('hook'); }] };
    await t.fails(() => t.client({ hooks }).get('json'), { code: 'CALLBACK_ERROR' });
    const replaced = { beforeRequest: [({ request }) => new view.Request(new URL('/missing', request.url))] };
    await t.fails(() => t.client({ hooks: replaced }).get('json'), { code: 'HTTP_ERROR', status: 404 });
    const answered = { beforeRequest: [() => new view.Response('{"a":2}')] };
    t.same(await t.works(() => t.client({ hooks: answered }).get('json').json()), { a: 2 });
  }),

  withFrame('a window that is gone takes no call of another one along', async (t, view, frame) => {
    const controller = new view.AbortController();
    const own = t.client();
    const signalled = own.get('hang', { signal: controller.signal, timeout: 400, headersTimeout: false, totalTimeout: 2_000 });
    const borrowed = t.client({ fetch: view.fetch.bind(view), timeout: 400, headersTimeout: false, totalTimeout: 2_000 });
    const calls = [signalled.text(), borrowed.get('hang?other').text(), borrowed.get('slow').text()];
    for (const call of calls) call.catch(() => {});
    await t.home.wait({ path: '/hang', requests: 2 });
    await t.home.wait({ path: '/slow', requests: 1 });
    frame.remove();
    // An engine tells nobody what becomes of a request of a window that is gone: the limit of the call does.
    for (const call of calls) t.oneOf((await t.fails(() => call)).code, ['TIMEOUT', 'NETWORK_ERROR', 'ABORTED'], 'the end');
    const after = await t.fails(() => borrowed.get('json').text());
    t.oneOf(after.code, ['TIMEOUT', 'NETWORK_ERROR', 'INVALID_REQUEST', 'ABORTED', 'CALLBACK_ERROR'], 'with the fetch of that window');
    t.same(await t.works(() => own.get('json', { signal: new AbortController().signal }).json()), { a: 1 });
  }),

  withFrame('a client of this window serves another one, and outlives it', async (t, view, frame) => {
    const api = t.client();
    view.api = api;
    const inFrame = (code) => view.eval(code);
    t.same(await t.works(() => inFrame("api.get('json').json()")), { a: 1 });
    t.same(await t.works(() => inFrame("api.fetch(new Request('/json')).then((response) => response.json())")), { a: 1 });
    t.same((await t.works(() => inFrame("api.get('json', { headers: { 'x-a': '1' }, searchParams: { a: 1 } }).result()"))).data, { a: 1 });
    const pending = inFrame("api.get('hang', { signal: new AbortController().signal, timeout: 400, onDownloadProgress: () => {} })").text();
    pending.catch(() => {});
    await t.home.wait({ path: '/hang', requests: 1 });
    frame.remove();
    await t.fails(() => pending, { code: 'TIMEOUT' }, [0, 2_000]);
    t.same(await t.works(() => api.get('json').json()), { a: 1 });
  }),

  withFrame('a client of another window serves this one, and the same errors are known to both', async (t, view) => {
    await t.until(() => view.api, 'the client of the frame');
    t.same(await t.works(() => view.api.get('json').json()), { a: 1 });
    const error = await t.fails(() => view.api.get('missing').json());
    t.ok(t.lib.isHTTPError(error), 'isHTTPError of this window');
    t.equal(t.lib.errorInfo(error).status, 404);
    const aborted = new AbortController();
    const call = view.api.get('hang', { signal: aborted.signal }).json();
    call.catch(() => {});
    await t.home.wait({ path: '/hang', requests: 1 });
    aborted.abort('gone');
    t.equal((await t.fails(() => call, { code: 'ABORTED' })).cause, 'gone');
  }, { script: (url) => `import { createClient } from ${JSON.stringify(url)}; window.api = createClient({ baseUrl: location.origin });` }),
];
