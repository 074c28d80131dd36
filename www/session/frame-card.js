// What a frame did, and how its calls ended.

import { h } from '../element.js';
import { callWords, roleWords } from './words.js';

export class FrameCard {
  constructor(name, other) {
    this.other = other;
    this.headline = h('p', { class: 'headline', hidden: true });
    this.calls = h('ol', { class: 'frame-calls' });
    this.hint = h('p', { class: 'hint' }, 'It has not called yet.');
    this.element = h('section', { class: 'card', 'aria-labelledby': `frame-${name}`, 'data-frame': name },
      h('h2', { id: `frame-${name}` }, `Frame ${name} `, h('small', {}, 'an iframe with a client of its own')),
      this.hint, this.headline, this.calls);
  }

  clear() {
    this.hint.hidden = false;
    this.headline.hidden = true;
    this.calls.replaceChildren();
  }

  /** @param {string} role @param {object[]} calls @param {boolean} revoked whether the session is */
  show(role, calls, revoked) {
    this.hint.hidden = true;
    this.headline.hidden = false;
    this.headline.dataset.state = revoked ? 'failed' : 'ok';
    this.headline.dataset.role = role;
    this.headline.textContent = `It ${roleWords(role, this.other, revoked)}.`;
    this.calls.replaceChildren(...calls.map((call, index) => h('li', { 'data-end': call.code === undefined ? 'ok' : 'failed' },
      `Call ${index + 1}: ${callWords(call)}`)));
  }
}
