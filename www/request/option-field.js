// One option of the package: its name, a field for its value, and its doc, shown while the field has the focus.

import { h, uniqueId } from '../element.js';
import { parse, unparse } from '../literal.js';

export class OptionField {
  constructor({ name, type, doc, default: fallback }) {
    this.name = name;
    const id = uniqueId('option');
    const docId = `${id}-doc`;
    const choices = literals(type);
    const placeholder = choices ? `${fallback || 'default'}` : fallback || 'default';
    this.input = choices
      ? h('select', {}, h('option', { value: '' }, `default: ${placeholder}`), ...choices.map((choice) => h('option', { value: choice }, choice)))
      : h('input', { type: 'text', placeholder, autocomplete: 'off', spellcheck: false, inputMode: 'text' });
    Object.assign(this.input, { id, className: 'mono' });
    this.input.setAttribute('aria-describedby', docId);
    this.element = h('div', { class: 'option' }, h('label', { for: id, class: 'mono' }, name), this.input, h('p', { id: docId, class: 'doc' }, doc));
    this.input.addEventListener('input', () => this.#mark());
  }

  get value() {
    return parse(this.input.value);
  }

  set value(value) {
    const text = unparse(value);
    // A value that is no choice of the select is added, so that it is shown and sent as it is.
    if (this.input.options && ![...this.input.options].some((option) => option.value === text)) {
      this.input.append(h('option', { value: text }, text));
    }
    this.input.value = text;
    this.#mark();
  }

  get isSet() {
    return this.input.value.trim() !== '';
  }

  #mark() {
    this.element.classList.toggle('set', this.isSet);
  }
}

/** The values of a type that is a closed list, if it is one. Functions cannot be given in a form. */
function literals(type) {
  const parts = type.replace(/\(\([^|]*\) => [^)]*\)/, '').split('|').map((part) => part.trim()).filter(Boolean);
  const values = parts.flatMap((part) => (part === 'boolean' ? ['true', 'false'] : [part]));
  return values.every((value) => /^(true|false|'\w+')$/.test(value)) ? values : undefined;
}

/** Whether nothing but a function can be given. */
export function isFunction({ type }) {
  return type.startsWith('(');
}
