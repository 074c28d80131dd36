// What the server saw: its counts and its log.

import { h } from '../element.js';
import { bytes, duration } from '../format.js';

const COUNTS = [
  ['requests', 'requests'],
  ['completed', 'answered to the end'],
  ['closes', 'closed by the client'],
  ['commits', 'performed'],
  ['preflights', 'preflights'],
  ['connections', 'connections'],
  ['connectionsReset', 'connections reset'],
  ['maxOpen', 'most at a time'],
];
/** Those that are shown when they are 0 too. */
const ALWAYS = new Set(['requests', 'completed', 'closes']);
const STATES = {
  open: 'open',
  completed: 'completed',
  closed: 'closed by client',
  faulted: 'broken by the fault',
  dropped: 'dropped',
};

export class ServerPanel {
  constructor(hint = 'Its own count, for comparison.') {
    this.counts = h('dl', { class: 'counts' });
    this.body = h('tbody');
    this.table = h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Requests', hidden: true },
      h('table', {}, h('thead', {}, h('tr', {}, ...['At', 'Request', 'Sent back', 'End', 'After'].map((name) => h('th', { scope: 'col' }, name)))), this.body));
    this.hint = h('p', { class: 'hint' }, hint);
    this.element = h('div', {}, this.hint, this.counts, this.table);
  }

  clear() {
    this.counts.replaceChildren();
    this.body.replaceChildren();
    this.table.hidden = true;
    this.hint.hidden = false;
  }

  show(report) {
    this.hint.hidden = true;
    this.counts.replaceChildren(...COUNTS.filter(([key]) => report[key] > 0 || ALWAYS.has(key)).map(([key, name]) => h('div', { 'data-count': key },
      h('dt', {}, name), h('dd', {}, String(report[key])))));
    const first = report.log[0]?.atMs ?? 0;
    this.body.replaceChildren(...report.log.map((entry) => h('tr', {}, ...[
      `+${duration(entry.atMs - first)}`,
      `${entry.method} ${entry.url}`,
      bytes(entry.bytesSent),
      STATES[entry.state] ?? entry.state,
      entry.endedMs === undefined || entry.endedMs === null ? '' : duration(entry.endedMs - entry.atMs),
    ].map((text) => h('td', {}, text)))));
    this.table.hidden = report.log.length === 0;
  }
}
