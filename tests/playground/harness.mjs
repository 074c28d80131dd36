// Opens the playground in Chromium. `cargo xtask test` says where everything is; by hand the defaults serve.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

import { spawn } from '../server/client.mjs';

const inRepository = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? inRepository('target');
const serverBinary = process.env.STEADFETCH_SERVER_BIN ?? `${target}/debug/steadfetch-fault-server`;
const executablePath = process.env.STEADFETCH_CHROMIUM ?? '/usr/bin/chromium';
const ARGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** What Chromium itself says of every fault, whoever made the request. */
const ABOUT_FAULTS = [
  /^Failed to load resource/,
  /blocked by CORS policy/,
  // Schemes are the platform's business, and its policy refuses the one that a case asks for.
  /^Connecting to 'foo:/,
  /^Fetch API cannot load foo:/,
];

/** As `cargo xtask demo` serves them. */
const STATICS = { '/': 'www', '/pkg': 'pkg', '/scenarios': 'tests/scenarios', '/server': 'tests/server' };

async function serve() {
  const running = process.env.STEADFETCH_PLAYGROUND;
  if (running) return { address: `${running}/`, stop: () => {} };
  if (!existsSync(inRepository('pkg/index.js'))) throw new Error('there is no package: cargo xtask build');
  const statics = Object.fromEntries(Object.entries(STATICS).map(([prefix, path]) => [prefix, inRepository(path)]));
  const server = await spawn({ binary: serverBinary, statics });
  return { address: `${server.control}/`, stop: () => server.stop() };
}

/** Each `open...(t, options)` gives a page of its own to a test, and fails the test if the page has complained. */
export async function playground() {
  const { address, stop } = await serve();
  const browser = await chromium.launch({ executablePath, headless: false, args: ARGS });
  const open = async (t, path, options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const complaints = [];
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      const ours = !ABOUT_FAULTS.some((pattern) => pattern.test(message.text()));
      if (['error', 'warning'].includes(message.type()) && ours) complaints.push(message.text());
    });
    t.after(async () => {
      await context.close();
      assert.deepEqual(complaints, []);
    });
    await page.goto(address + path);
    await page.locator('html[data-ready]').waitFor();
    return page;
  };
  return {
    /** `fragment` names a case. */
    async openWorkbench(t, { fragment = '', ...options } = {}) {
      return new Workbench(await open(t, `workbench.html${fragment}`, options));
    },
    async openGallery(t, { fragment = '', ...options } = {}) {
      return new Gallery(await open(t, fragment, options));
    },
    async openProtection(t, options) {
      return new Protection(await open(t, 'protection.html', options));
    },
    async openSession(t, options) {
      return new Session(await open(t, 'session.html', options));
    },
    async close() {
      await browser.close();
      await stop();
    },
  };
}

export function includes(text, part) {
  assert.ok(text.includes(part), `${JSON.stringify(part)} in ${JSON.stringify(text)}`);
}

/** What a visitor does and sees on every page. */
class Page {
  constructor(page) {
    this.page = page;
    this.status = page.getByRole('status');
    this.segments = page.locator('.lane:not(.bare) .segment');
    this.result = page.locator('#result');
  }

  async press(button) {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }

  /** Until everything has settled, and the server has told its part. */
  async done() {
    await this.page.locator('html[data-busy="false"]').waitFor();
  }

  /** The kinds of the segments of all lanes, in order. */
  kinds() {
    return this.segments.evaluateAll((segments) => segments.map((segment) => segment.dataset.kind));
  }

  /** A number of the server's report; NaN if it is not shown. */
  async seen(count) {
    const shown = this.page.locator(`[data-count="${count}"] dd`);
    return (await shown.count()) === 0 ? NaN : Number(await shown.textContent());
  }

  /** What has the focus: its id, else what it is called. */
  focused() {
    return this.page.evaluate(() => {
      const { id, name, type, textContent, tagName } = document.activeElement;
      return id || name || type || (tagName === 'BODY' ? 'body' : textContent.trim());
    });
  }

  /** How much wider than the window the page is. */
  overflow() {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }
}

export class Workbench extends Page {
  constructor(page) {
    super(page);
    this.lanes = page.locator('.lane:not(.bare)');
    this.code = page.getByRole('region', { name: 'Code', exact: true });
  }

  async choose(title) {
    await this.page.getByRole('radio', { name: title }).check();
  }

  async own() {
    await this.page.getByRole('radio', { name: 'Your own' }).check();
  }

  async send(button = 'Send') {
    await this.press(button);
  }

  async cancel() {
    await this.press('Cancel');
  }
}

export class Gallery extends Page {
  constructor(page) {
    super(page);
    this.title = page.locator('#case-title');
    this.verdict = page.locator('#verdict');
    this.asked = page.getByRole('region', { name: 'The call', exact: true });
    this.plan = page.locator('#plan');
    this.steps = page.getByRole('table', { name: 'The same, step by step' });
    this.comparison = page.locator('#comparison');
    this.cases = page.getByRole('navigation', { name: 'Cases' });
  }

  /** Goes to the case with this name or number by its address. */
  async visit(name) {
    await this.page.evaluate((fragment) => {
      location.hash = fragment;
    }, name);
  }

  async run() {
    await this.press('Run');
    await this.done();
  }

  /** The part of the address that names the case. */
  fragment() {
    return new URL(this.page.url()).hash;
  }
}

export class Protection extends Page {
  /** What a gauge shows. */
  gauge(name) {
    return this.page.locator(`[data-gauge="${name}"]`).getAttribute('data-value');
  }
}

export class Session extends Protection {
  /** What each frame did for its token, by the frame's name. */
  roles() {
    return this.page.locator('[data-frame]').evaluateAll((cards) => Object.fromEntries(cards.map((card) => [
      `Frame ${card.dataset.frame}`, card.querySelector('.headline').dataset.role,
    ])));
  }
}
