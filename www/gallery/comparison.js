// The right outcome of a case beside the one that came.

import { judge } from '/scenarios/scenario.mjs';
import { h } from '../element.js';
import { STATES } from './states.js';
import { compare } from './right-words.js';

export class Comparison {
  constructor() {
    this.body = h('tbody');
    const head = ['', 'Right', 'Came'].map((name) => h('th', { scope: 'col' }, name || h('span', { class: 'unseen' }, 'Field')));
    this.element = h('table', { class: 'comparison' }, h('thead', {}, h('tr', {}, ...head)), this.body);
  }

  /** @param {object} right @param {object} [observed] left out before the run */
  show(right, observed) {
    this.body.replaceChildren(...compare(judge, right, observed).map(({ name, right: wanted, came, fits }) => h('tr', {},
      h('th', { scope: 'row' }, name),
      h('td', {}, ...breakable(wanted)),
      h('td', { class: 'came', 'data-state': observed ? state(fits) : undefined }, observed ? told(came, fits) : '—'))));
  }
}

function state(fits) {
  return fits ? 'expected' : 'unexpected';
}

function told(came, fits) {
  const { mark, words } = STATES[state(fits)];
  return h('span', {}, h('span', { class: 'mark', 'aria-hidden': 'true' }, `${mark} `), h('span', { class: 'unseen' }, `${words}: `), ...breakable(came));
}

/** Codes are broken behind their underscores, if they have to be. */
function breakable(text) {
  return text.split(/(?<=_)/).flatMap((part, index) => (index === 0 ? [part] : [h('wbr'), part]));
}
