// What a case gets: the package, a server, assertions, measurements.

import * as assertions from './assert.mjs';
import { fail, show } from './assert.mjs';
import { fakeClock, turn } from './clock.mjs';
import { BROWSERS } from './hosts.mjs';
import { platform, spy, trackListeners } from './track.mjs';

/**
 * Added to upper bounds of time, for a machine of two cores that does other things too, together with the longest time that
 * this thread itself was kept from running. Lower bounds are exact.
 */
const SLACK = 250;
const BEAT = 20;

/** No case waits longer than this for one call: what has not settled by then never will. */
const WATCHDOG = 9_000;

/** The settings of most cases; what they say otherwise replaces them. Limits that only a hung call meets. */
const DEFAULTS = { headersTimeout: 5_000, idleTimeout: 5_000, totalTimeout: 8_000 };
/** The settings of cases about limits. */
const STRICT = { headersTimeout: 300, idleTimeout: 300, totalTimeout: 5_000 };
const RETRY = { limit: 0, delay: 100, backoffLimit: 1_000 };

export class Context {
  #lag = 0;
  #beat;
  turn = turn;
  fakeClock = fakeClock;
  spy = spy;
  trackListeners = trackListeners;
  #opened = [];

  /**
   * @param {object} env `host`, `full`, and the numbers of `home`
   * @param {object} parts `server`, `home`, `lib`, `timers`, `unhandled`, `memory`
   */
  constructor(env, parts) {
    Object.assign(this, assertions, { env, host: env.host, full: env.full }, parts);
    this.#listen();
  }

  /** A heart that beats late tells how much longer things may take. */
  #listen() {
    const due = this.now() + BEAT;
    this.#beat = platform.setTimeout(() => {
      this.#lag = Math.max(this.#lag, this.now() - due);
      this.#listen();
    }, BEAT);
  }

  get slack() {
    return SLACK + Math.round(this.#lag);
  }

  get inBrowser() {
    return BROWSERS.includes(this.host);
  }

  now() {
    return platform.now();
  }

  sleep(span) {
    return new Promise((resolve) => platform.setTimeout(resolve, span));
  }

  /** A further origin of the fault server: other than the page's, so requests to it are cross-origin there. */
  async open(options) {
    const origin = await this.server.open({ static: false, ...options });
    this.#opened.push(origin);
    return origin;
  }

  /** A client with the settings that cases have in common. */
  client({ retry, ...options } = {}) {
    const merged = { ...RETRY, ...(typeof retry === 'number' ? { limit: retry } : retry) };
    return this.lib.createClient({ baseUrl: this.home.origin, ...DEFAULTS, retry: merged, ...options });
  }

  /** A client with limits that are soon reached: 300 ms for the headers and for each read. */
  strict(options) {
    return this.client({ ...STRICT, ...options });
  }

  /** Starts a call and waits until it has settled: `{ value, ms }` or `{ error, ms }`. */
  async settle(start) {
    const began = this.now();
    let watchdog;
    const late = new Promise((resolve) => {
      watchdog = platform.setTimeout(() => resolve({ pending: true }), WATCHDOG);
    });
    const settled = (async () => {
      try {
        return { value: await start() };
      } catch (error) {
        return { error, failed: true };
      }
    })();
    const result = await Promise.race([settled, late]);
    platform.clearTimeout(watchdog);
    if (result.pending) fail(`still pending after ${WATCHDOG} ms`);
    return { ...result, ms: this.now() - began };
  }

  /** Our fields of an error: its own, or those attached to an error of the platform. */
  info(error) {
    return this.lib.errorInfo(error);
  }

  /**
   * The call must reject, with these fields, within `[low, high]` milliseconds. `low` is exact: nothing is ever early.
   * Returns the rejection itself.
   */
  async fails(start, fields = {}, bounds = undefined) {
    const { error, failed, value, ms } = await this.settle(start);
    if (!failed) fail(`expected a rejection with ${show(fields)}, got ${show(value)}`);
    const info = this.info(error);
    if (info === undefined && Object.keys(fields).length > 0) {
      fail(`expected ${show(fields)}, got a foreign rejection: ${show(error)} ${error?.stack ?? ''}`);
    }
    for (const [name, expected] of Object.entries(fields)) {
      if (!Object.is(info[name], expected)) {
        const more = info.originalError ? ` (${show(info.originalError)})` : '';
        fail(`error.${name}: expected ${show(expected)}, got ${show(info[name])} in ${show(info)}${more}`);
      }
    }
    if (bounds) this.took(ms, bounds, `time to ${info?.code}`);
    return error;
  }

  /** The call must resolve, within `[low, high]` milliseconds. Returns the value. */
  async works(start, bounds = undefined) {
    const { error, failed, value, ms } = await this.settle(start);
    if (failed) {
      const more = error?.originalError ?? error?.cause;
      fail(`expected success, got ${show(error)}${more ? ` (${show(more)})` : ''}`);
    }
    if (bounds) this.took(ms, bounds, 'time to success');
    return value;
  }

  /** The response with its body read: one that nobody reads stays a call under way. */
  async read(start) {
    const response = await this.works(start);
    await response.arrayBuffer();
    return response;
  }

  took(ms, [low, high], what = 'time') {
    const { slack } = this;
    this.between(Math.round(ms * 1_000) / 1_000, low, high + slack, `${what} (slack ${slack} ms included)`);
  }

  /** How many timers there may be once calls have ended well: one in pages and their workers, where the next call takes it over. */
  get idleTimers() {
    return this.inBrowser ? 1 : 0;
  }

  /** All calls are over: no timer is left, at once or, in pages, soon. */
  async noTimers(what = 'timers left') {
    this.between(this.timers.pending(), 0, this.idleTimers, what);
    await this.until(() => this.timers.pending() === 0, `the end of ${what} (${this.timers.delays()} ms)`, 500);
  }

  /** How many requests the origin saw; preflights and files do not count. */
  async requests(origin = this.home) {
    return (await origin.report()).requests;
  }

  /** The numbers of requests must be exactly this, also a little later. */
  async saw(expected, origin = this.home) {
    await this.sleep(30);
    this.equal(await this.requests(origin), expected, 'requests the server saw');
  }

  /** A `fetch` that answers from a list (the last one again and again): a Response, an Error to reject with, a function. */
  scripted(...answers) {
    const calls = [];
    const scripted = async (input, init) => {
      calls.push({ input, init, at: performance.now() });
      const answer = answers[Math.min(calls.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      if (answer instanceof Response) return answer.clone();
      return answer(input, init, calls.length);
    };
    return Object.assign(scripted, { calls });
  }

  /** Collects `onEvent` events. */
  recorder() {
    const events = [];
    const onEvent = (event) => events.push(event);
    return Object.assign(onEvent, {
      events,
      types: () => events.map((event) => event.type),
      of: (type) => events.filter((event) => event.type === type),
    });
  }

  /** Resolves when `probe` gives a true value: for what only this realm knows. Server events have `wait`. */
  async until(probe, what, limit = 5_000) {
    const end = this.now() + limit;
    for (;;) {
      const value = probe();
      if (value) return value;
      if (this.now() > end) fail(`waited ${limit} ms in vain for ${what}`);
      await this.sleep(2);
    }
  }

  /** Bytes of the JavaScript heap after a collection, where the host tells. */
  async heap() {
    await turn();
    globalThis.gc?.();
    await turn();
    globalThis.gc?.();
    return this.host === 'node' ? globalThis.process.memoryUsage().heapUsed : performance.memory?.usedJSHeapSize;
  }

  async end() {
    platform.clearTimeout(this.#beat);
    await Promise.allSettled(this.#opened.map((origin) => origin.close()));
  }
}

/** A promise with its handles outside. */
export function deferred() {
  const handles = {};
  handles.promise = new Promise((resolve, reject) => Object.assign(handles, { resolve, reject }));
  return handles;
}
