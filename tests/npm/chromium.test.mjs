// Every case of cases/ in real pages of Chromium.

import { chromium as engine } from 'playwright-core';

import { browserDriver } from './harness/browser.mjs';
import { chromium, place } from './harness/places.mjs';
import { renewing } from './harness/renew.mjs';
import { reusing } from './harness/reuse.mjs';
import { suite } from './harness/suite.mjs';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // For the cases that measure memory.
  '--js-flags=--expose-gc',
  '--enable-precise-memory-info',
];

async function launch() {
  const browser = await engine.launch({ executablePath: chromium, headless: false, args: ['--headless=new', ...ARGS] });
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  return reusing(() => context.newPage(), () => browser.close());
}

await suite('chromium', async () => browserDriver(place === 'service-worker' ? renewing(launch, 50) : await launch()));
