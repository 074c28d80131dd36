// The workbench: what is chosen on the left is run, and drawn on the right.

import { limitsInForce } from '../draw/limits.js';
import { Waterfall } from '../draw/waterfall.js';
import { FaultPicker } from '../fault/fault-picker.js';
import { CodePanel } from '../panels/code-panel.js';
import { EventLog } from '../panels/event-log.js';
import { ResultCard } from '../panels/result-card.js';
import { ServerPanel } from '../panels/server-panel.js';
import { RequestForm } from '../request/request-form.js';
import { Run } from '../run/run.js';
import { summary } from '../run/summary.js';

const MANY = 20;
/** What the page begins with: it shows retries at once. */
const FIRST = 'refused-then-ok';
/** Stands for the origin that is opened when the call is sent. */
const UNKNOWN = 'http://127.0.0.1:PORT';

const $ = (id) => document.getElementById(id);

export class Workbench {
  #run;
  /** Whose result is shown. */
  #shown = 0;

  /** @param {{ product: object, server: object, catalogue: object[], declarations: Map }} parts */
  constructor({ product, server, catalogue, declarations }) {
    Object.assign(this, { product, server, declarations });
    this.waterfall = new Waterfall({ choose: (callId) => this.#choose(callId) });
    this.result = new ResultCard();
    this.seen = new ServerPanel();
    this.code = new CodePanel($('copy-code'));
    this.log = new EventLog($('log-count'));
    this.request = new RequestForm(declarations, () => this.#preview());
    this.fault = new FaultPicker(catalogue, () => this.#restore());
    const parts = { fault: this.fault, request: this.request, waterfall: this.waterfall, result: this.result, server: this.seen, code: this.code, events: this.log };
    for (const [id, { element }] of Object.entries(parts)) $(id).append(element);
    if (!this.#chooseNamed(location.hash)) this.#chooseNamed(FIRST);
    addEventListener('hashchange', () => this.#chooseNamed(location.hash));
    $('restore').addEventListener('click', () => this.#restore());
    $('send').addEventListener('click', () => this.#send(1));
    $('send-many').addEventListener('click', () => this.#send(MANY));
    $('cancel').addEventListener('click', () => this.#run.cancel());
    addEventListener('pagehide', () => this.#run?.close());
  }

  /** Chooses the case that the fragment of an address names, if it names one. */
  #chooseNamed(fragment) {
    const found = this.fault.chooseNamed(fragment);
    if (found) this.#restore();
    return found;
  }

  /** Shows the fault's own call in the form. */
  #restore() {
    this.request.fill(this.fault.value.call);
    this.described = JSON.stringify(this.request.value);
    this.#preview();
  }

  /** The code of what would be sent. */
  #preview() {
    const call = this.#call();
    if (!call) return;
    const url = call.url ?? `{origin}${call.path}`;
    this.code.show(call, url.replaceAll('{origin}', UNKNOWN).replaceAll('{host}', UNKNOWN.slice('http://'.length)), 1);
  }

  /** The call of the form; undefined if there is none to be had. */
  #call() {
    try {
      return this.request.value;
    } catch (error) {
      this.#say(`The headers and options are no JSON: ${error.message}`, 'failed');
      return undefined;
    }
  }

  async #send(count) {
    const call = this.#call();
    if (!call) {
      this.request.showMistake();
      return;
    }
    const { expect, ...fault } = this.fault.value;
    // An expectation is about the call that the scenario describes, not about what the visitor made of it.
    const asDescribed = JSON.stringify(call) === this.described;
    const run = new Run({
      product: this.product,
      server: this.server,
      fault: asDescribed ? { ...fault, expect } : fault,
      call,
      count,
      compare: $('compare').checked,
    }, this.#listener());
    const former = this.#run;
    this.#run = run;
    this.#clear(call, count);
    try {
      await former?.close();
      await run.start();
    } catch (error) {
      if (this.#run === run) this.#say(`The fault server said: ${error.message}`, 'failed');
    }
    if (this.#run !== run) return;
    this.waterfall.finish();
    this.#busy(false);
  }

  /** Draws what a run tells, for as long as it is the current one. */
  #listener() {
    const whileCurrent = (draw) => (run, told) => {
      if (run === this.#run) draw(told, run);
    };
    return {
      placed: whileCurrent((_, run) => this.code.show(run.call, run.url, run.count)),
      event: whileCurrent((event) => {
        this.waterfall.add(event);
        this.log.add(event);
      }),
      result: whileCurrent(({ index }, run) => {
        if (index === this.#shown) this.#show();
        if (run.settled) {
          const results = run.results.map((result, at) => ({ ...result, end: run.end(at) }));
          this.#say(summary(results, this.product.errorInfo), results.every(({ ok }) => ok) ? 'ok' : 'failed');
        }
      }),
      bare: whileCurrent((bare) => {
        this.waterfall.setBare(bare);
        this.result.showBare(bare);
      }),
      judged: whileCurrent(() => this.#show()),
      report: whileCurrent((report) => this.seen.show(report)),
    };
  }

  #clear(call, count) {
    this.#shown = 0;
    this.waterfall.clear({ limits: limitsInForce(call, this.declarations), count, hook: call.hook !== undefined });
    this.result.pending();
    this.result.clearBare();
    this.seen.clear();
    this.log.clear();
    this.#say(count > 1 ? `Sending ${count} calls …` : 'Sending …', 'pending');
    this.#busy(true);
    // Where everything is one column it may be far below the button.
    if ($('waterfall').getBoundingClientRect().top > innerHeight) $('waterfall').parentElement.scrollIntoView();
  }

  /** Shows the result of another call of the run. */
  #choose(callId) {
    this.#shown = this.#run.index(callId);
    this.#show();
  }

  #show() {
    const run = this.#run;
    const callId = run.callId(this.#shown);
    this.waterfall.select(callId);
    const result = run.results[this.#shown];
    if (!result) {
      this.result.pending();
      return;
    }
    const info = result.ok ? undefined : this.product.errorInfo(result.error);
    this.result.show(result, info, this.waterfall.timeline(callId), run.verdict);
  }

  #say(text, state) {
    $('status').textContent = text;
    $('status').dataset.state = state;
  }

  #busy(busy) {
    const cancel = $('cancel');
    // A disabled button loses the focus to nowhere.
    if (!busy && document.activeElement === cancel) $('send').focus();
    cancel.disabled = !busy;
    document.documentElement.dataset.busy = String(busy);
  }
}
