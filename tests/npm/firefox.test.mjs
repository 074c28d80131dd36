// Every case of cases/ in real pages of Firefox.

import { firefox as engine } from 'playwright-core';

import { browserDriver } from './harness/browser.mjs';
import { firefox } from './harness/places.mjs';
import { reusing } from './harness/reuse.mjs';
import { suite } from './harness/suite.mjs';

await suite('firefox', async () => {
  // The system's Firefox, driven by WebDriver BiDi: Playwright's own protocol needs Playwright's own build.
  const browser = await engine.launch({ channel: 'moz-firefox', executablePath: firefox, headless: true });
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  return browserDriver(reusing(() => context.newPage(), () => browser.close()));
});
