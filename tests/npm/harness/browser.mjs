// Runs cases in pages of a browser, or in workers of these.

import { place, servedModules } from './places.mjs';
import { openSink } from './sink.mjs';

/** @param {{ newContext: Function, close: Function }} browser of playwright-core, or what looks like it */
export async function browserDriver(browser) {
  const sink = await openSink();
  const modules = servedModules();
  return {
    sink: sink.origin,
    async run(env, signal) {
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const stop = () => context.close({ reason: 'the case took too long' });
      signal.addEventListener('abort', stop, { once: true });
      try {
        const page = await context.newPage();
        const { url: address, result } = sink.expect();
        const crash = new Promise((resolve) => {
          page.once('crash', () => resolve({ ok: false, message: 'the page crashed', stack: '' }));
          page.once('close', () => resolve({ ok: false, message: 'the page was closed', stack: '' }));
        });
        const full = { ...env, place, sink: address, modules: { ...modules, topic: `/npm/cases/${env.topic}` } };
        await page.goto(`${env.home.origin}/npm/harness/page.html?${new URLSearchParams({ env: JSON.stringify(full) })}`);
        return await Promise.race([result, crash]);
      } finally {
        signal.removeEventListener('abort', stop);
        await context.close();
      }
    },
    async close() {
      sink.close();
      await browser.close();
    },
  };
}
