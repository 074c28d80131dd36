// The timeline as a table to be read: one event a row.

import { eventWords } from '../draw/event-words.js';
import { h } from '../element.js';
import { duration } from '../format.js';

export class Steps {
  constructor() {
    this.body = h('tbody');
    this.table = h('table', { class: 'steps', hidden: true },
      h('caption', {}, 'The same, step by step'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'After'), h('th', { scope: 'col' }, 'What happened'))),
      this.body);
    this.element = this.table;
  }

  clear() {
    this.body.replaceChildren();
    this.table.hidden = true;
  }

  add(event) {
    this.table.hidden = false;
    this.body.append(h('tr', { 'data-event': event.type }, h('td', {}, duration(event.elapsedMs)), h('td', {}, eventWords(event))));
  }
}
