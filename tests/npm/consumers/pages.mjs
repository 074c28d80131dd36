// One browser for a suite, a fresh context for each page.

import { after, before } from 'node:test';

import { chromium } from 'playwright-core';

const executablePath = process.env.STEADFETCH_CHROMIUM ?? '/usr/bin/chromium';
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking'];

let browser;

before(async () => {
  browser = await chromium.launch({ executablePath, headless: false, args: ['--headless=new', ...ARGS] });
});
after(() => browser.close());

/**
 * Opens a page that sets `globalThis.result`, and gives it; what the console and the page complained of is added.
 * @param {string} url
 * @param {{ limit?: number, responses?: object[] }} [how] how long it may take; where its responses go
 */
export async function resultOf(url, { limit = 30_000, responses } = {}) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    if (responses) {
      context.on('response', (response) => responses.push(response));
    }
    const answer = await page.goto(url);
    if (!answer.ok()) return { result: `the page is answered ${answer.status()}`, complaints };
    const result = await page
      .waitForFunction(() => globalThis.result, undefined, { timeout: limit })
      .then((handle) => handle.jsonValue())
      .catch((error) => String(error));
    return { result, complaints };
  } finally {
    await context.close();
  }
}
