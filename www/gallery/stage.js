// The case that is shown: what is asked, what the server does, what happened, and whether that is right.

import { expected } from '/scenarios/scenario.mjs';
import { limitsInForce } from '../draw/limits.js';
import { Waterfall } from '../draw/waterfall.js';
import { h } from '../element.js';
import { engine } from '../fault/catalogue.js';
import { capital, duration, plural } from '../format.js';
import { expression } from '../panels/code.js';
import { highlight } from '../panels/highlight.js';
import { ResultCard } from '../panels/result-card.js';
import { ServerPanel } from '../panels/server-panel.js';
import { prose } from '../prose.js';
import { unparse } from '../literal.js';
import { Comparison } from './comparison.js';
import { remedy } from './remedy.js';
import { titleOf } from './sections.js';
import { serverWords } from './server-words.js';
import { STATES } from './states.js';
import { Steps } from './steps.js';

/** Stands for the origin that is opened when the case is run. */
const UNKNOWN = 'http://127.0.0.1:PORT';
const $ = (id) => document.getElementById(id);

export class Stage {
  /** @param {{ product: object, declarations: Map, total: number }} parts */
  constructor({ product, declarations, total }) {
    Object.assign(this, { product, declarations, total });
    this.waterfall = new Waterfall({ choose: () => {}, hint: 'Press Run.' });
    this.steps = new Steps();
    this.result = new ResultCard({ attempts: false });
    this.seen = new ServerPanel('Its own count, once the case has been run.');
    this.comparison = new Comparison();
    $('timeline').append(this.waterfall.element, h('div', { class: 'scroll' }, this.steps.element));
    $('result').append(this.result.element);
    $('server').append(this.seen.element);
    $('comparison').append(this.comparison.element);
  }

  /**
   * Shows a case as it stands.
   *
   * @param {import('./cases.js').Case} one
   * @param {import('./player.js').Outcome | undefined} outcome
   * @param {(id: string) => string} stateOf
   */
  show(one, outcome, stateOf) {
    this.one = one;
    this.#describe(one);
    this.variants(stateOf);
    this.clear();
    if (outcome?.run) this.#replay(outcome.run);
    this.verdict(outcome);
  }

  /** The variants of the family, with how they stand. */
  variants(stateOf) {
    const { family, id: shown } = this.one;
    $('variants').hidden = family.cases.length === 1;
    $('variants').replaceChildren(...family.cases.map(({ id, label }) => {
      const { mark, words } = STATES[stateOf(id)];
      return h('li', {}, h('a', { href: `#${id}`, 'aria-current': id === shown ? 'true' : undefined, 'data-state': stateOf(id) },
        mark && h('span', { class: 'mark', 'aria-hidden': 'true' }, `${mark} `), label, h('span', { class: 'unseen' }, `, ${words}`)));
    }));
  }

  /** Nothing has happened yet. */
  clear() {
    this.#axis();
    this.waterfall.idle();
    this.steps.clear();
    this.seen.clear();
    this.result.element.replaceChildren(h('p', { class: 'hint' }, 'The value or the error of the call.'));
    this.result.clearBare();
    this.comparison.show(expected(this.one.scenario, engine()));
  }

  placed(run) {
    this.#axis();
    this.#asked(run.call, run.url);
  }

  event(event) {
    this.waterfall.add(event);
    this.steps.add(event);
  }

  /** What bare fetch makes of the same call. */
  bare(bare) {
    this.waterfall.setBare(bare);
    this.result.showBare(bare);
  }

  report(report) {
    this.seen.show(report);
  }

  /** The call has settled, and perhaps been judged. */
  settled(run) {
    const [result] = run.results;
    const info = result.ok ? undefined : this.product.errorInfo(result.error);
    this.waterfall.finish();
    this.result.show(result, info, this.waterfall.timeline(run.callId(0)));
    if (run.observed) this.comparison.show(run.right, run.observed);
  }

  /** @param {import('./player.js').Outcome | undefined} outcome */
  verdict(outcome) {
    const state = outcome?.state ?? 'fresh';
    const element = $('verdict');
    element.dataset.state = state;
    element.replaceChildren(VERDICTS[state](outcome), ...remedy(outcome));
  }

  running() {
    $('verdict').dataset.state = 'running';
    $('verdict').textContent = 'Running …';
  }

  #describe({ position, family, title, scenario }) {
    $('where').replaceChildren(
      h('span', {}, titleOf(family.letter)),
      ...family.numbers.split(' ').filter(Boolean).map((number) => h('span', { class: 'number' }, number)),
      h('span', {}, `${position} of ${this.total}`));
    $('case-title').textContent = title;
    $('doc').replaceChildren(...prose(family.doc));
    const { call } = scenario;
    this.#asked(call, known(call.url ?? `{origin}${call.path}`));
    $('plan').replaceChildren(...serverWords(scenario).flatMap(({ who, does }) => [h('dt', {}, who), h('dd', {}, capital(does))]));
  }

  #asked(call, url) {
    $('asked').replaceChildren(...highlight(expression(call, url)));
    const { abort } = call;
    $('asked-note').hidden = abort === undefined;
    if (abort) $('asked-note').textContent = abortWords(abort);
    $('change').href = `workbench.html#${this.one.id}`;
  }

  /** An empty axis. */
  #axis() {
    const { call } = this.one.scenario;
    this.waterfall.clear({ limits: limitsInForce(call, this.declarations), count: 1, hook: false });
  }

  #replay(run) {
    this.#asked(run.call, run.url);
    this.#axis();
    for (const event of run.events) this.event(event);
    if (run.bare) this.bare(run.bare);
    if (run.report) this.report(run.report);
    this.settled(run);
  }
}

const VERDICTS = {
  fresh: () => 'Not run yet',
  stopped: () => 'Stopped',
  expected: ({ run }) => `As expected${after(run)}`,
  unexpected: ({ run, note }) => note ?? `Not as expected${after(run)}`,
  skipped: ({ note }) => `Skipped. ${note}`,
};

function after(run) {
  const [{ elapsed }] = run.results;
  const attempts = run.observed?.attempts;
  return `, after ${duration(elapsed)}${attempts === undefined ? '' : ` and ${plural(attempts, 'attempt')}`}`;
}

function known(url) {
  return url.replaceAll('{origin}', UNKNOWN).replaceAll('{host}', UNKNOWN.slice('http://'.length));
}

function abortWords({ after: ms, reason }) {
  const because = reason === undefined ? '' : ` with the reason ${unparse(reason) || 'null'}`;
  return ms === 0 ? `Its signal has been aborted before${because}.` : `Its signal is aborted after ${duration(ms)}${because}.`;
}
