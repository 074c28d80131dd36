// The gallery: what is chosen is shown, what is run is drawn and judged.

import { named } from '../fault/family.js';
import { summary } from '../run/summary.js';
import { CaseList } from './case-list.js';
import { arrange } from './cases.js';
import { Keys } from './keys.js';
import { judged, Player } from './player.js';
import { Stage } from './stage.js';
import { Tour } from './tour.js';
import { tourReport, tourWords } from './tour-report.js';

/** Where everything is one column the list would push the case out of sight. */
const wide = matchMedia('(min-width: 56rem)');
const NAME = document.title;
const $ = (id) => document.getElementById(id);

export class Gallery {
  /** What became of each case that has been run, by id. */
  #outcomes = new Map();
  #current;
  /** The case that is being run. */
  #running;
  #tour;
  /** Settles when nothing is run any more. */
  #ending = Promise.resolve();

  /** @param {{ product: object, server: object, catalogue: object[], declarations: Map }} parts */
  constructor({ product, server, catalogue, declarations }) {
    const { sections, families, cases } = arrange(catalogue);
    Object.assign(this, { product, sections, families, cases });
    this.player = new Player({ product, server });
    this.stage = new Stage({ product, declarations, total: cases.length });
    this.list = new CaseList({ sections }, $('search'));
    $('list').append(this.list.element);
    $('list').open = wide.matches;
    $('count').textContent = `${families.length} faults in ${cases.length} cases`;
    this.#listen();
    this.#go(this.#addressed() ?? cases[0]);
    this.#say('');
  }

  #listen() {
    const actions = {
      previous: () => this.#step(-1),
      next: () => this.#step(1),
      run: () => this.#runOne(),
      all: () => this.#runAll(),
    };
    for (const [id, action] of Object.entries(actions)) $(id).addEventListener('click', action);
    new Keys({ p: actions.previous, n: actions.next, r: actions.run, a: actions.all, '/': () => this.#search(), '?': () => this.#help() }, $('keys'));
    this.list.element.addEventListener('click', (event) => {
      if (event.target.closest('a') && !wide.matches) this.#leaveList();
    });
    addEventListener('hashchange', () => {
      const one = this.#addressed();
      if (!one) return;
      this.#stop();
      this.#go(one);
    });
    addEventListener('pagehide', () => this.player.stop());
  }

  /** The case that the address names. */
  #addressed() {
    const found = named(this.families, location.hash);
    return found && this.cases.find(({ id }) => id === found.variant.id);
  }

  #stateOf = (id) => (this.#running?.id === id ? 'running' : this.#outcomes.get(id)?.state ?? 'fresh');

  /** Shows a case. */
  #go(one) {
    this.#current = one;
    document.title = `${one.title} · ${NAME}`;
    this.list.select(one);
    this.stage.show(one, this.#outcomes.get(one.id), this.#stateOf);
    this.#buttons();
    if (!this.#tour) this.#say(`${one.position} of ${this.cases.length}: ${one.title}`);
  }

  /** Shows a case, and names it in the address; the way back stays that to the page before. */
  #visit(one) {
    history.replaceState(null, '', `#${one.id}`);
    this.#go(one);
  }

  #step(by) {
    const next = this.cases[this.#current.position - 1 + by];
    if (!next) return;
    this.#stop();
    this.#visit(next);
  }

  async #runOne() {
    const one = this.#current;
    if (this.#running === one) {
      this.#stop();
      return;
    }
    this.#bringIntoView();
    this.#say('Running …', 'pending');
    const outcome = await this.#play(one, { compare: $('compare').checked });
    if (one === this.#current && !this.#tour) this.#say(this.#words(outcome), TONE[outcome.state]);
  }

  async #runAll() {
    if (this.#tour) {
      this.#stop();
      return;
    }
    this.#stop();
    const tour = new Tour(this.cases);
    this.#tour = tour;
    $('report').hidden = true;
    $('progress').hidden = false;
    this.#progress(0);
    this.#say(`Running all ${this.cases.length} cases …`, 'pending');
    this.#bringIntoView();
    await tour.run((one) => {
      this.#visit(one);
      return this.#play(one, { compare: false });
    }, (done) => this.#progress(done));
    this.#tour = undefined;
    this.#report(tour);
  }

  async #play(one, how) {
    this.#running = one;
    // What was stopped has to let go first: there is one stage.
    await this.#ending;
    this.#mark(one);
    this.stage.clear();
    this.stage.running();
    this.#ending = this.player.play(one, this.#listener(one), how);
    const outcome = await this.#ending;
    if (this.#running === one) this.#running = undefined;
    if (outcome.state !== 'stopped') this.#outcomes.set(one.id, outcome);
    this.#mark(one);
    if (one === this.#current) this.stage.verdict(outcome);
    return outcome;
  }

  /** Bare fetch may go on for long after the verdict. */
  #judged(run) {
    if (run.stopped) return;
    const outcome = judged(run);
    this.stage.settled(run);
    this.stage.verdict(outcome);
    if (!this.#tour) this.#say(this.#words(outcome), TONE[outcome.state]);
  }

  /** Draws what a run tells, for as long as its case is shown. */
  #listener(one) {
    const whileShown = (draw) => (run, told) => {
      if (one === this.#current) draw(run, told);
    };
    return {
      placed: whileShown((run) => this.stage.placed(run)),
      event: whileShown((_, event) => this.stage.event(event)),
      result: whileShown((run) => this.stage.settled(run)),
      report: whileShown((_, report) => this.stage.report(report)),
      judged: whileShown((run) => this.#judged(run)),
      bare: whileShown((_, bare) => this.stage.bare(bare)),
    };
  }

  #stop() {
    this.#tour?.stop();
    this.player.stop();
  }

  #mark(one) {
    this.list.mark(one, this.#stateOf);
    if (one.family === this.#current.family) this.stage.variants(this.#stateOf);
    this.#buttons();
  }

  /** The report of a tour, above the case. */
  #report(tour) {
    $('progress').hidden = true;
    $('report').hidden = false;
    $('report').scrollIntoView();
    $('report-body').replaceChildren(...tourReport(tour, this.sections));
    this.#say(tourWords(tour), tour.count('unexpected') === 0 ? 'ok' : 'failed');
    this.#buttons();
  }

  #progress(done) {
    $('progress-bar').max = this.cases.length;
    $('progress-bar').value = done;
    $('progress-text').textContent = `${done} of ${this.cases.length}`;
  }

  #buttons() {
    const { position } = this.#current;
    // Never disabled, which would lose the focus.
    $('previous').setAttribute('aria-disabled', String(position === 1));
    $('next').setAttribute('aria-disabled', String(position === this.cases.length));
    $('run').textContent = this.#running === this.#current && !this.#tour ? 'Stop' : 'Run';
    $('all').textContent = this.#tour ? 'Stop' : 'Run all';
    document.documentElement.dataset.busy = String(this.#running !== undefined || this.#tour !== undefined);
  }

  #words(outcome) {
    const { state, run, note } = outcome;
    if (state === 'stopped') return 'Stopped.';
    if (note) return note;
    const [result] = run.results;
    const said = summary([{ ...result, end: run.end(0) }], this.product.errorInfo);
    return `${state === 'expected' ? 'As expected' : 'Not as expected'}. ${said}`;
  }

  #say(text, state = '') {
    // Said twice, it would be read twice.
    if ($('status').textContent !== text) $('status').textContent = text;
    $('status').dataset.state = state;
  }

  /** Where everything is one column the timeline may be far below the button. */
  #bringIntoView() {
    const { top } = $('timeline').getBoundingClientRect();
    if (top > innerHeight - 120) $('timeline').parentElement.scrollIntoView();
  }

  #leaveList() {
    $('list').open = false;
    $('case-title').focus();
    $('case').scrollIntoView();
  }

  #search() {
    $('list').open = true;
    $('search').focus();
  }

  #help() {
    $('shortcuts').open = true;
    $('shortcuts').querySelector('summary').focus();
  }
}

const TONE = { expected: 'ok', unexpected: 'failed' };
