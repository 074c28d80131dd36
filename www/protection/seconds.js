// The history as a table, for those who do not see the charts.

import { h } from '../element.js';
import { capital } from '../format.js';
import { ENDS } from './history.js';

const HEAD = ['Second', ...Object.values(ENDS).map(capital), 'In flight', 'Waiting', 'Circuit'];

export class Seconds {
  constructor() {
    this.body = h('tbody');
    this.element = h('table', { class: 'numbers' },
      h('thead', {}, h('tr', {}, ...HEAD.map((name) => h('th', { scope: 'col' }, name)))), this.body);
  }

  /** Adds the seconds that are new, and renews the last one, which may have changed. */
  show({ seen }) {
    const rows = seen.map((second) => [
      `${second.second} s`, ...Object.keys(ENDS).map((end) => second[end]), second.inFlight, second.waiting, second.state,
    ]);
    while (this.body.rows.length > rows.length) this.body.lastChild.remove();
    rows.forEach((row, index) => {
      const texts = row.map(String);
      const shown = this.body.rows[index];
      if (!shown) this.body.append(h('tr', {}, ...texts.map((text) => h('td', {}, text))));
      else texts.forEach((text, place) => {
        if (shown.cells[place].textContent !== text) shown.cells[place].textContent = text;
      });
    });
  }
}
