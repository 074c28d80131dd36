// The page about protection: a steady load on a server that can be taken down, and what the client makes of it.

import { h } from '../element.js';
import { duration, plural } from '../format.js';
import { highlight } from '../panels/highlight.js';
import { Columns, Lines } from './chart.js';
import { Gauges } from './gauges.js';
import { endOf, History } from './history.js';
import { Load } from './load.js';
import { CODE, OPTIONS } from './options.js';
import { stateOf } from './readings.js';
import { ServerUnderLoad } from './server.js';
import { Seconds } from './seconds.js';

const SECONDS = 60;
/** Between two looks at the client. */
const LOOK_MS = 250;
const $ = (id) => document.getElementById(id);

export class Protection {
  #run;

  /** @param {{ product: object, server: object }} parts */
  constructor({ product, server }) {
    Object.assign(this, { product, server });
    this.gauges = new Gauges(OPTIONS);
    this.columns = new Columns(SECONDS);
    this.lines = new Lines(SECONDS, ['inFlight', 'waiting']);
    this.seconds = new Seconds();
    $('gauges').append(this.gauges.element);
    $('columns').append(this.columns.element);
    $('lines').append(this.lines.element);
    $('seconds').append(this.seconds.element);
    $('code').replaceChildren(...highlight(CODE));
    $('load').addEventListener('click', () => this.#toggle());
    $('rate').addEventListener('change', () => {
      if (this.#run?.load) this.#run.load.rate = this.rate;
    });
    $('delay').addEventListener('change', () => this.#told(this.#run?.server.answerAfter(this.delay)));
    $('down').addEventListener('change', () => this.#told(this.#run?.server.listen(!$('down').checked)));
    addEventListener('pagehide', () => this.#end());
    this.#draw(new History(SECONDS));
  }

  get rate() {
    return Number($('rate').value);
  }

  get delay() {
    return Number($('delay').value);
  }

  async #toggle() {
    if (this.#run) this.#end();
    else await this.#start();
  }

  async #start() {
    $('load').disabled = true;
    try {
      const server = await ServerUnderLoad.open(this.server, this.delay);
      if ($('down').checked) await server.listen(false);
      this.#begin(server);
    } catch (error) {
      this.#say(`The fault server said: ${error.message}`, 'failed');
    } finally {
      $('load').disabled = false;
      $('load').focus();
    }
  }

  #begin(server) {
    const history = new History(SECONDS);
    const api = this.product.createClient({ ...OPTIONS, name: 'protected', onEvent: (event) => this.#event(event) });
    const load = new Load({ call: () => this.#call(run), ended: () => this.#end(), seconds: SECONDS });
    const run = { server, history, api, load, looking: setInterval(() => this.#look(run), LOOK_MS) };
    this.#run = run;
    $('changes').replaceChildren();
    $('load').textContent = 'Stop';
    this.#say(`The load runs for ${SECONDS} s.`, 'pending');
    document.documentElement.dataset.busy = 'true';
    load.start(this.rate);
  }

  async #call({ api, server, history, load }) {
    const { error } = await api.get(server.nextUrl()).result();
    // What the end of the run cancels is nobody's failure.
    if (error?.code !== 'ABORTED') history.settle(load.elapsed, endOf(error));
  }

  /** Of a circuit that has changed its state; all else is counted. */
  #event(event) {
    if (event.type !== 'circuit-change' || !this.#run) return;
    const at = this.#run.load.elapsed;
    $('changes').prepend(h('li', { 'data-state': event.state }, h('span', { class: 'at' }, duration(at)), ' ', h('strong', {}, event.state), ` ${MEANINGS[event.state]}`));
    this.#say(`The circuit is ${event.state}: ${MEANINGS[event.state]}`, event.state === 'closed' ? 'ok' : 'failed');
  }

  #look(run) {
    const metrics = run.api.metrics();
    run.history.sample(run.load.elapsed, { inFlight: metrics.inFlight, waiting: metrics.waiting, state: stateOf(metrics) });
    this.gauges.show(metrics);
    this.#draw(run.history);
    $('left').textContent = `${Math.max(0, Math.ceil(SECONDS - run.load.elapsed / 1000))} s left`;
  }

  #draw(history) {
    $('columns-top').textContent = `${this.columns.draw(history, this.rate)} calls`;
    $('lines-top').textContent = `${this.lines.draw(history, OPTIONS.queue.concurrency)} calls`;
    this.seconds.show(history);
  }

  #end() {
    const run = this.#run;
    if (!run) return;
    this.#run = undefined;
    clearInterval(run.looking);
    this.#look(run);
    run.load.stop();
    const { attempts, calls } = run.api.metrics();
    run.api.close();
    this.#told(run.server.close());
    $('load').textContent = 'Start the load';
    $('left').textContent = '';
    const { history } = run;
    this.#say(`${plural(calls, 'call')}: ${history.total('ok')} succeeded, ${history.total('failed')} failed, ${history.total('refused')} not sent; ${plural(attempts, 'request')} in all.`, 'ok');
    document.documentElement.dataset.busy = 'false';
  }

  /** What the fault server is told it may refuse. */
  async #told(answer) {
    try {
      await answer;
    } catch (error) {
      this.#say(`The fault server said: ${error.message}`, 'failed');
    }
  }

  #say(text, state) {
    $('status').textContent = text;
    $('status').dataset.state = state;
  }
}

const MEANINGS = {
  open: 'calls are refused at once, the server is left alone.',
  'half-open': 'one call is let through to see whether it is back.',
  closed: 'calls go through again.',
};
