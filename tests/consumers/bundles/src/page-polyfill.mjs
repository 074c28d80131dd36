// A page without a fetch of its own: a polyfill over XMLHttpRequest has brought fetch, Headers, Request and Response. Its responses have no
// body that could be read piece by piece, and come when all of it is there.
import './no-fetch.mjs';
import 'whatwg-fetch';

import { callInfo, createClient, version } from 'steadfetch';

const parameters = new URLSearchParams(location.search);
const api = createClient({ baseUrl: parameters.get('api'), searchParams: { key: parameters.get('key') }, retry: 0 });
const failure = (promise) => promise.then((value) => `no failure, but ${JSON.stringify(value)}`, ({ code, phase, data }) => ({ code, phase, data }));

const CHECKS = {
  'every reader has the body': async () => {
    const sizes = [];
    for (const how of ['bytes', 'arrayBuffer', 'blob']) {
      const got = await api.get('bytes')[how]();
      sizes.push(got.size ?? got.byteLength);
    }
    return [sizes, await api.get('json').json(), await api.get('json').text()];
  },
  'api.fetch resolves with its Response': async () => {
    const response = await api.fetch('refused');
    return [response.status, callInfo(response).attempts, await response.json(), response instanceof Response];
  },
  'onDownloadProgress counts the bytes': async () => {
    const steps = [];
    await api.get('bytes', { onDownloadProgress: ({ transferredBytes, totalBytes }) => steps.push([transferredBytes, totalBytes]) }).bytes();
    return [steps[0], steps.at(-1)];
  },
  'an error has its data': () => failure(api.get('refused').json()),
  'limits end a call': async () => [await failure(api.get('stall', { timeout: 200 }).text()), await failure(api.get('hang', { timeout: 200 }).text())],
  'a body that is too large is refused': () => failure(api.get('bytes', { maxResponseBytes: 10 }).text()),
  'a signal ends a call': () => {
    const controller = new AbortController();
    const call = failure(api.get('hang', { signal: controller.signal }).text());
    setTimeout(() => controller.abort(), 50);
    return call;
  },
  'a write is sent': async () => (await failure(api.post('private', { json: { a: 1 } }).json())).code,
};
const EXPECTED = {
  'every reader has the body': [[100_000, 100_000, 100_000], { name: 'Ada' }, '{"name":"Ada"}'],
  'api.fetch resolves with its Response': [422, 1, { detail: 'no' }, true],
  'onDownloadProgress counts the bytes': [[0, 100_000], [100_000, 100_000]],
  'an error has its data': { code: 'HTTP_ERROR', phase: 'headers', data: { detail: 'no' } },
  'limits end a call': Array(2).fill({ code: 'TIMEOUT', phase: 'headers' }),
  'a body that is too large is refused': { code: 'RESPONSE_TOO_LARGE', phase: 'body' },
  'a signal ends a call': { code: 'ABORTED', phase: 'headers' },
  'a write is sent': 'HTTP_ERROR',
};

const results = [];
for (const [name, check] of Object.entries(CHECKS)) {
  const got = JSON.stringify(await Promise.resolve(check()).catch((error) => String(error?.stack ?? error)));
  const ok = got === JSON.stringify(EXPECTED[name]);
  results.push({ name, ok, message: ok ? '' : `got ${got}` });
}
globalThis.result = { version, engines: [], results };
