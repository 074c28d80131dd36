// The events as they came, one JSON text a line.

import { h } from '../element.js';
import { plural } from '../format.js';

export class EventLog {
  #count = 0;

  constructor(count) {
    this.count = count;
    this.list = h('ol', { class: 'events mono', tabIndex: 0, 'aria-label': 'Events' });
    this.element = this.list;
    this.#show();
  }

  clear() {
    this.#count = 0;
    this.list.replaceChildren();
    this.#show();
  }

  add(event) {
    this.#count += 1;
    const { type, callId, elapsedMs, ...rest } = event;
    this.list.append(h('li', {}, h('span', { class: 'at' }, `${Math.round(elapsedMs)} ms`), h('strong', {}, type), h('span', {}, JSON.stringify({ callId, ...rest }))));
    this.#show();
  }

  #show() {
    this.count.textContent = plural(this.#count, 'event');
  }
}
