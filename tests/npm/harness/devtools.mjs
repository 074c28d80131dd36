// Chromium by its DevTools protocol (https://chromedevtools.github.io/devtools-protocol/) and nothing in between: libraries that
// drive browsers keep every page visible, awake and out of the back/forward cache.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ARGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  'about:blank',
];

export class Browser {
  #child;
  #profile = mkdtempSync(join(tmpdir(), 'steadfetch-'));
  #last = 0;
  #answers = new Map();
  #rest = '';
  /** Who waits for which event of which session. */
  #awaited = new Set();

  /** @param {string} binary */
  static async start(binary) {
    const browser = new Browser();
    const args = [...ARGS, `--user-data-dir=${browser.#profile}`];
    const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    browser.#child = child;
    child.stdio[4].setEncoding('utf8').on('data', (text) => browser.#receive(text));
    // Writing to a browser that has gone is told by the answer that does not come.
    child.stdio[3].on('error', () => {});
    child.once('error', (error) => browser.#gone(error.message));
    child.once('exit', (code, signal) => browser.#gone(`it ended with ${code ?? signal}`));
    await browser.send('Browser.getVersion');
    return browser;
  }

  /** A command to the browser, or to the tab of that session. */
  send(method, params = {}, sessionId = undefined) {
    const id = (this.#last += 1);
    const answer = new Promise((resolve, reject) => this.#answers.set(id, { resolve, reject, method }));
    this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  }

  #receive(text) {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop();
    for (const message of messages) {
      const { id, result, error, method, sessionId } = JSON.parse(message);
      for (const one of this.#awaited) {
        if (one.method !== method || one.sessionId !== sessionId) continue;
        this.#awaited.delete(one);
        one.resolve();
      }
      const answer = this.#answers.get(id);
      this.#answers.delete(id);
      if (error) answer?.reject(new Error(`${answer.method}: ${error.message}`));
      else answer?.resolve(result);
    }
  }

  /** The next event of that name in the tab of that session. */
  event(method, sessionId) {
    return new Promise((resolve) => this.#awaited.add({ method, sessionId, resolve }));
  }

  #gone(why) {
    for (const { reject, method } of this.#answers.values()) reject(new Error(`${method}: the browser is gone: ${why}`));
    this.#answers.clear();
  }

  /** A tab in front of all others, with that page. */
  async open(url) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    await this.send('Page.enable', {}, sessionId);
    const loaded = this.event('Page.loadEventFired', sessionId);
    await this.send('Page.navigate', { url }, sessionId);
    await loaded;
    return new Tab(this, targetId, sessionId);
  }

  /** The processes of all pages: `stop` does to them what a machine does that goes to sleep, `resume` wakes them up. */
  async renderers() {
    const { processInfo } = await this.send('SystemInfo.getProcessInfo');
    const ids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    const tell = (signal) => ids.forEach((id) => process.kill(id, signal));
    return { stop: () => tell('SIGSTOP'), resume: () => tell('SIGCONT') };
  }

  async close() {
    const ended = once(this.#child, 'exit');
    await this.send('Browser.close').catch(() => this.#child.kill());
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Tab {
  #browser;
  #target;
  #session;

  constructor(browser, target, session) {
    this.#browser = browser;
    this.#target = target;
    this.#session = session;
  }

  send(method, params) {
    return this.#browser.send(method, params, this.#session);
  }

  /** What the function returns in the page, as JSON. */
  async evaluate(run, ...args) {
    const expression = `(${run})(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;
    const { result, exceptionDetails: failed } = await this.send('Runtime.evaluate', {
      expression, awaitPromise: true, returnByValue: true,
    });
    if (failed) throw new Error(failed.exception?.description ?? failed.text);
    return result.value;
  }

  /** Resolves when the function returns something true. */
  async until(probe, limit = 10_000) {
    const end = performance.now() + limit;
    // While a page is being exchanged for another one there may be nobody to ask.
    while (!(await this.evaluate(probe).catch(() => false))) {
      if (performance.now() > end) throw new Error(`waited ${limit} ms in vain for ${probe}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  freeze() {
    return this.send('Page.setWebLifecycleState', { state: 'frozen' });
  }

  /** Awake again, and in front of the others. */
  async thaw() {
    await this.send('Page.setWebLifecycleState', { state: 'active' });
    await this.#browser.send('Target.activateTarget', { targetId: this.#target });
  }

  async online(online) {
    await this.send('Network.enable');
    await this.send('Network.emulateNetworkConditions', {
      offline: !online, latency: 0, downloadThroughput: -1, uploadThroughput: -1,
    });
  }

  close() {
    return this.#browser.send('Target.closeTarget', { targetId: this.#target });
  }
}
