// Shows the code of the call, to be copied.

import { copyButton } from '../copy-button.js';
import { h } from '../element.js';
import { code } from './code.js';
import { highlight } from './highlight.js';

export class CodePanel {
  #text = '';

  constructor(button) {
    this.code = h('code');
    this.element = h('pre', { class: 'code', tabIndex: 0, role: 'region', 'aria-label': 'Code' }, this.code);
    copyButton(button, () => this.#text);
  }

  show(call, url, count) {
    this.#text = code(call, url, count);
    this.code.replaceChildren(...highlight(this.#text));
  }
}
