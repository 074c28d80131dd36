// Runs the case that the page's URL names: here, or in a worker of the page. No driver needs more of a browser than to open a
// URL.

import { report } from './report.mjs';

const text = new URLSearchParams(location.search).get('env');
const env = JSON.parse(text);
const worker = new URL('./worker.mjs', import.meta.url);

const start = {
  window: () => report(env),
  // A worker's name is the one thing that reaches it with its script.
  'dedicated-worker': () => new Worker(worker, { type: 'module', name: text }),
  'shared-worker': () => new SharedWorker(worker, { type: 'module', name: text }),
  'service-worker': () => navigator.serviceWorker.register(
    `/service/${env.topic}?${new URLSearchParams({ env: text })}`,
    { type: 'module' },
  ),
};

/** What a worker that did not get as far as its case has to say. */
function broken({ message, filename, lineno }) {
  report(env, { runCase: async () => ({ ok: false, message: `the worker: ${message ?? 'did not start'}`, stack: `${filename}:${lineno}` }) });
}

try {
  (await start[env.place]())?.addEventListener?.('error', broken);
} catch (error) {
  broken(error);
}
