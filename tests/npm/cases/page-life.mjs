// What happens to a page: it is left, comes back, has a service worker in between.

import { BROWSERS } from '../harness/hosts.mjs';

const html = (script) => ({
  body: `<!doctype html><title>frame</title><script type="module">${script}</script>`,
  headers: { 'content-type': 'text/html', 'cache-control': 'no-cache', connection: 'close' },
});

/** A page in a frame that has a client, `api`. */
const framed = (t, script) => html(`
  import * as lib from ${JSON.stringify(t.env.modules.package)};
  const api = lib.createClient({ baseUrl: location.origin });
  ${script}
`);

async function frameOf(t) {
  const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: '/frame' }));
  await t.home.wait({ path: '/first', requests: 1 });
  return frame;
}

export default [
  {
    name: 'I01 a beacon leaves while its page does: another one comes, or the frame is taken away',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({
        '/frame': framed(t, `
          await api.get('first').text();
          addEventListener('pagehide', () => {
            api.post('beacon', { keepalive: true, json: { a: 1 } }).catch(() => {});
            api.get('other').catch(() => {});
          });
        `),
        '/first': { body: 'x' }, '/beacon': {}, '/other': {},
      });
      const leave = [(frame) => { frame.src = 'about:blank'; }, (frame) => frame.remove()];
      for (const [index, go] of leave.entries()) {
        const frame = await frameOf(t);
        await t.home.wait({ path: '/first', completed: index + 1 });
        await t.sleep(50);
        go(frame);
        const { log } = await t.home.wait({ path: '/beacon', requests: index + 1 });
        t.same(log.filter(({ route }) => route === '/beacon').map(({ body }) => body), Array(index + 1).fill('{"a":1}'));
      }
      t.equal((await t.home.report()).log.filter(({ route }) => route === '/other').length, 0, 'other requests');
    },
  },
  {
    name: 'I03 a service worker in between goes on after an abort, the page does not wait for it',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({
        '/worker.js': {
          body: `
            addEventListener('activate', (event) => event.waitUntil(clients.claim()));
            addEventListener('fetch', (event) => {
              if (event.request.url.includes('/api/')) event.respondWith(fetch(event.request));
            });
          `,
          headers: { 'content-type': 'text/javascript' },
        },
        '/api/hang': { before: 'hang' },
        '/api/ok': { json: { a: 1 } },
      });
      const registration = await navigator.serviceWorker.register('/worker.js', { scope: '/' });
      try {
        await t.until(() => navigator.serviceWorker.controller, 'the worker');
        const api = t.client();
        t.same(await t.works(() => api.get('api/ok').json()), { a: 1 });
        for (const method of ['get', 'post']) {
          const controller = new AbortController();
          const call = api[method]('api/hang', { signal: controller.signal }).json();
          call.catch(() => {});
          await t.home.wait({ path: '/api/hang', requests: method === 'get' ? 1 : 2 });
          controller.abort('gone');
          await t.fails(() => call, { code: 'ABORTED', cause: 'gone', outcome: 'unknown' }, [0, 50]);
        }
        t.same(await t.works(() => api.get('api/ok?2').json()), { a: 1 });
      } finally {
        await registration.unregister();
      }
    },
  },
  {
    name: 'I01 away and back by the cache of whole pages: calls settle, and new ones work',
    // In Chromium: chromium-page-life.test.mjs.
    hosts: ['firefox', 'webkit'],
    // What must not be stored, Firefox does not keep either.
    home: { staticHeaders: { 'cache-control': 'max-age=600' } },
    async run(t) {
      // A page that is loaded anew runs its case anew.
      t.equal(sessionStorage.getItem('left'), null, 'the page was loaded anew');
      await t.home.script({
        '/away': html('setTimeout(() => history.back(), 100);'), '/hang': { before: 'hang' }, '/new': { json: { a: 2 } },
      });
      const api = t.client();
      t.same(await t.works(() => api.get('new').json()), { a: 2 });
      // Firefox does not keep a page with requests under way.
      const silent = t.host === 'webkit' ? t.settle(() => api.get('hang', { totalTimeout: 500 }).json()) : undefined;
      if (silent) await t.home.wait({ path: '/hang', requests: 1 });
      const first = new Promise((resolve) => {
        addEventListener('pagehide', () => resolve(t.settle(() => api.get('first'))), { once: true });
      });
      const shown = new Promise((resolve) => addEventListener('pageshow', resolve, { once: true }));
      sessionStorage.setItem('left', 'yes');
      location.href = '/away';
      t.equal((await shown).persisted, true, 'persisted');
      sessionStorage.clear();
      t.same(await t.works(() => api.get('new').json()), { a: 2 });
      const { error } = await first;
      t.same([error.code, error.outcome, error.retryStopped], ['ABORTED', 'not-sent', 'pagehide']);
      // WebKit tells of the end of its requests before it tells that the page is left.
      if (silent) t.oneOf((await silent).error?.code, ['NETWORK_ERROR', 'ABORTED'], 'code of the call under way');
      await t.saw(silent ? 4 : 3);
    },
  },
];
