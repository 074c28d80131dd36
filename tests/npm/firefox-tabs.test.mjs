// Several tabs of Firefox, one session.

import { firefox as engine } from 'playwright-core';

import { firefox } from './harness/places.mjs';
import { tabs } from './harness/tabs.mjs';

tabs('Firefox', async () => {
  const browser = await engine.launch({ channel: 'moz-firefox', executablePath: firefox, headless: true });
  const context = await browser.newContext();
  return { newPage: () => context.newPage(), close: () => browser.close() };
});
