// Every case of cases/ that makes sense there in Node, each in a thread of its own: a fresh realm, as a page is.

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { casesDirectory, entry, fileUrl, packageDirectory, serverDirectory } from './harness/places.mjs';
import { suite } from './harness/suite.mjs';

const thread = new URL('./harness/thread.mjs', import.meta.url);

await suite('node', async () => ({
  async run(env, signal) {
    const modules = {
      client: fileUrl(join(serverDirectory, 'client.mjs')),
      package: fileUrl(join(packageDirectory, entry('node'))),
      topic: fileUrl(join(casesDirectory, env.topic)),
    };
    const worker = new Worker(thread, { workerData: { ...env, modules } });
    const stop = () => worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise((resolve) => {
        worker.once('message', resolve);
        worker.once('error', ({ message, stack }) => resolve({ ok: false, message, stack }));
        worker.once('exit', (code) => resolve({ ok: false, message: `the thread ended with ${code}`, stack: '' }));
      });
    } finally {
      signal.removeEventListener('abort', stop);
      await worker.terminate();
    }
  },
  async close() {},
}));
