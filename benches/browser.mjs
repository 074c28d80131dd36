// The page of the benchmark, on an origin of the fault server: in Chromium, which is driven, and in browsers that report what they found.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { chromium, firefox } from 'playwright-core';

import { openSink } from '../tests/npm/harness/sink.mjs';
import { Session } from '../tests/npm/harness/webdriver.mjs';
import { spawn } from '../tests/server/client.mjs';
import { TEXT } from './stub.js';

const here = fileURLToPath(new URL('.', import.meta.url));

const ARGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--expose-gc',
];

/** With both headers a page is isolated, and its clock ticks every 5 us instead of every 100. */
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Calls `use(origin)` with the page of the benchmark served there. Everything is gone when its promise has settled. */
async function withOrigin({ serverPath, packagePath }, use) {
  const built = await mkdtemp(join(tmpdir(), 'steadfetch-bench-'));
  const open = [() => rm(built, { recursive: true })];
  try {
    await build({
      entryPoints: [join(here, 'page.js')],
      outdir: built,
      bundle: true,
      format: 'esm',
      // The built package is measured as it is.
      external: ['steadfetch'],
    });
    const server = await spawn({
      binary: serverPath,
      statics: { '/bench': here, '/built': built, '/pkg': packagePath },
    });
    open.push(server.stop);
    return await use(await server.open({ staticHeaders: ISOLATED, script: { '/answer': { body: TEXT } } }));
  } finally {
    for (const close of open.reverse()) await close();
  }
}

/** Calls `use({ page, url, version })` with the page ready in Chromium; `url` answers over the network what the stub answers. */
export const withPage = (place, use) =>
  withOrigin(place, async (origin) => {
    const browser = await chromium.launch({ executablePath: place.browserPath, headless: false, args: ARGS });
    try {
      const page = await browser.newPage();
      page.on('pageerror', (error) => console.error(error));
      page.on('console', (message) => console.error(message.text()));
      await page.goto(origin.url('/bench/page.html'));
      return await use({ page, url: origin.url('/answer'), version: browser.version() });
    } finally {
      await browser.close();
    }
  });

/** Each opens a URL, and returns what closes it. */
const OPENERS = {
  async firefox(binary, url) {
    // The system's Firefox, driven by WebDriver BiDi: Playwright's own protocol needs Playwright's own build.
    const browser = await firefox.launch({ channel: 'moz-firefox', executablePath: binary, headless: true });
    const page = await browser.newPage();
    await page.goto(url);
    return () => browser.close();
  },
  async webkit(binary, url) {
    const session = await Session.open({ binary, capabilities: { pageLoadStrategy: 'none' } });
    const page = await session.openWindow();
    await page.goto(url);
    return () => session.close();
  },
};

/** What the page finds in another browser, in which it runs the plan by itself. */
export const reported = (name, place, plan) =>
  withOrigin(place, async (origin) => {
    const sink = await openSink();
    const { url, result } = sink.expect();
    const query = new URLSearchParams({ sink: url, plan: JSON.stringify(plan) });
    const close = await OPENERS[name](place.browserPath, origin.url(`/bench/page.html?${query}`));
    try {
      const { error, ...found } = await result;
      if (error) throw new Error(`the page of ${name}: ${error}`);
      return found;
    } finally {
      await close();
      sink.close();
    }
  });

/** Calls a function of the page, `globalThis.bench` of page.js. */
export const inPage = (page, name, argument) =>
  page.evaluate(async ([name, argument]) => (await globalThis.bench)[name](argument), [name, argument]);
