// The page of the benchmark, in Chromium, on an origin of the fault server.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { chromium } from 'playwright-core';

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

/**
 * Calls `use({ page, url, version })` with the page ready; `url` answers over the network what the stub answers.
 * Everything is gone when its promise has settled.
 */
export async function withPage({ browserPath, serverPath, packagePath }, use) {
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
    const origin = await server.open({ staticHeaders: ISOLATED, script: { '/answer': { body: TEXT } } });
    const browser = await chromium.launch({ executablePath: browserPath, headless: false, args: ARGS });
    open.push(() => browser.close());
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    page.on('console', (message) => console.error(message.text()));
    await page.goto(origin.url('/bench/page.html'));
    return await use({ page, url: origin.url('/answer'), version: browser.version() });
  } finally {
    for (const close of open.reverse()) await close();
  }
}

/** Calls a function of the page, `globalThis.bench` of page.js. */
export const inPage = (page, name, argument) =>
  page.evaluate(async ([name, argument]) => (await globalThis.bench)[name](argument), [name, argument]);
