// Several tabs of Chromium, one session.

import { chromium as engine } from 'playwright-core';

import { chromium } from './harness/places.mjs';
import { tabs } from './harness/tabs.mjs';

const ARGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];

tabs('Chromium', async () => {
  const browser = await engine.launch({ executablePath: chromium, headless: false, args: ARGS });
  const context = await browser.newContext();
  return { newPage: () => context.newPage(), close: () => browser.close() };
});
