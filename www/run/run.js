// One press of Send: opens the fault's origins, makes the calls, and reports what each of them and the server saw.

import { awaited, expected, judge, place } from '/scenarios/scenario.mjs';
import { engine } from '../fault/catalogue.js';
import { BareFetch } from './bare-fetch.js';
import { clientOptions, perform } from './perform.js';

/** Between two looks at the server while a run goes on. */
const LOOK_MS = 300;
/** The name of a call among several, followed by its number. */
const OPERATION = 'call ';
/** For the server to see how the last connection ends. */
const SETTLED_MS = 3000;

/**
 * Each member is told the run first.
 *
 * @typedef {object} Listener
 * @property {(run: Run) => void} placed the address of the call is known: `run.url`
 * @property {(run: Run, event: object) => void} event what `onEvent` was told
 * @property {(run: Run, result: object) => void} result a call has settled: `{ index, ok, value | error, elapsed }`
 * @property {(run: Run, report: object) => void} report what the server saw so far
 * @property {(run: Run) => void} judged every call has settled, and the server has seen how: `run.verdict`
 * @property {(run: Run, bare: BareFetch) => void} bare the bare fetch has changed
 */

export class Run {
  #controller = new AbortController();
  #places = [];
  results = [];
  events = [];
  /** The differences from what the scenario calls right, once that is known; undefined where it says nothing. */
  verdict;
  /** What the scenario calls right in this engine, and what was observed instead of it or as it says. */
  right;
  observed;

  /** @param {{ product: object, server: object, fault: object, call: object, count: number, compare: boolean }} parts */
  constructor(parts, listener) {
    Object.assign(this, parts);
    this.listener = listener;
  }

  /** Resolves when everything has settled and the server has seen it. */
  async start() {
    const placed = await this.#place();
    this.url = address(placed);
    this.call = placed.scenario.call;
    this.origin = placed.origin;
    this.listener.placed(this);
    const bare = this.compare ? this.#startBare() : undefined;
    const looking = setInterval(() => this.#look(), LOOK_MS);
    try {
      await Promise.all(this.#send());
      await this.#lastLook(placed.scenario);
      this.verdict = this.#judge();
      this.listener.judged(this);
      await bare;
    } finally {
      clearInterval(looking);
    }
  }

  /** What a press of Cancel does. */
  cancel() {
    this.#controller.abort();
    this.bare?.giveUp();
  }

  /** Closes the origins. */
  async close() {
    this.cancel();
    await Promise.all(this.#places.map((placed) => placed.close()));
  }

  /** Whether every call has settled. */
  get settled() {
    return this.results.filter(Boolean).length === this.count;
  }

  /** The number of the call, from 0, whose events have this id. */
  index(callId) {
    const start = this.events.find((event) => event.callId === callId);
    return this.count > 1 ? Number(start.operation.slice(OPERATION.length)) - 1 : 0;
  }

  /** The id in a call's events; undefined if there are none. */
  callId(index) {
    return this.events.find((event) => this.count === 1 || event.operation === `${OPERATION}${index + 1}`)?.callId;
  }

  /** The `call-end` event of a call. */
  end(index) {
    const callId = this.callId(index);
    return this.events.find((event) => event.type === 'call-end' && event.callId === callId);
  }

  #judge() {
    const { fault, count, report } = this;
    const [result] = this.results;
    if (count > 1 || !fault.expect || !result || !report) return undefined;
    this.right = expected(fault, engine());
    this.observed = { ...this.#observed(result), report };
    return judge(this.right, this.observed);
  }

  async #place() {
    const placed = await place({ ...this.fault, call: this.call }, this.server);
    this.#places.push(placed);
    return placed;
  }

  #send() {
    const { product, call, count } = this;
    const onEvent = (event) => {
      this.events.push(event);
      this.listener.event(this, event);
    };
    let api;
    try {
      api = product.createClient({ ...clientOptions(call), onEvent });
    } catch (error) {
      // No call can be made: all of them share its fate.
      for (let index = 0; index < count; index += 1) this.#settled(index, performance.now(), { ok: false, error });
      return [];
    }
    const signal = this.#signal(call.abort);
    return Array.from({ length: count }, async (_, index) => {
      const many = count > 1;
      const url = many ? keyed(this.url, index + 1) : this.url;
      const more = { signal, ...(many && { operation: `${OPERATION}${index + 1}` }) };
      const started = performance.now();
      try {
        this.#settled(index, started, { ok: true, value: await perform(api, call, url, more) });
      } catch (error) {
        this.#settled(index, started, { ok: false, error });
      }
    });
  }

  #settled(index, started, result) {
    const full = { index, elapsed: performance.now() - started, ...result };
    this.results[index] = full;
    this.listener.result(this, full);
  }

  /** Of the Cancel button, and of the scenario if it cancels. */
  #signal(abort) {
    const { signal } = this.#controller;
    if (abort === undefined) return signal;
    const controller = new AbortController();
    const reason = abort.reason;
    if (abort.after === 0) controller.abort(reason);
    else setTimeout(() => controller.abort(reason), abort.after);
    signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
    return controller.signal;
  }

  async #startBare() {
    const placed = await this.#place();
    this.bare = new BareFetch((bare) => this.listener.bare(this, bare));
    if (this.#controller.signal.aborted) this.bare.giveUp();
    await this.bare.run(placed.scenario.call, address(placed));
  }

  async #look() {
    try {
      this.#reported(await this.origin.report());
    } catch {
      // The next look, or the last one, will tell.
    }
  }

  async #lastLook({ expect = {} }) {
    const counts = this.count > 1 ? { open: 0 } : awaited(expect);
    try {
      this.#reported(await this.origin.wait({ ...counts, timeout: SETTLED_MS }));
    } catch (error) {
      if (error.report) this.#reported(error.report);
      else throw error;
    }
  }

  #reported(report) {
    this.report = report;
    this.listener.report(this, report);
  }

  /** A result in the words of the scenario files. */
  #observed({ ok, value, error, elapsed }) {
    const end = this.end(0);
    if (ok) return { ok, value, status: end?.status, attempts: end?.attempts, elapsed };
    const info = this.product.errorInfo(error) ?? {};
    const attempts = info.attempts ?? [];
    return {
      ...info,
      data: info.data,
      cause: info.cause,
      ok,
      elapsed,
      attempts: attempts.length,
      attemptOutcomes: attempts.map((attempt) => attempt.outcome),
    };
  }
}

function address({ origin, scenario: { call } }) {
  return call.url ?? origin.url(call.path);
}

/** The server counts requests with different keys apart, so every call meets the whole fault. */
function keyed(url, key) {
  return `${url}${url.includes('?') ? '&' : '?'}key=${key}`;
}
