// The call: method, how it is read, body, headers, options. Filled from a fault, then the visitor's.

import { area, number, select } from '../field.js';
import { h } from '../element.js';
import { OptionsForm } from './options-form.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'OPTIONS'];
const READERS = {
  json: 'api.get(…).json()',
  text: 'api.get(…).text()',
  bytes: 'api.get(…).bytes()',
  none: 'api.get(…)',
  fetch: 'api.fetch(…)',
};
const named = (values) => Object.fromEntries(values.map((value) => [value, value]));

export class RequestForm {
  /** What of the call has no field: its address, and bodies that cannot be typed. */
  #fixed = {};

  constructor(declarations, change) {
    this.method = select('Method', named(METHODS));
    this.reader = select('Called as', READERS);
    this.body = area('Body', { placeholder: 'none', rows: 2 });
    this.further = area('Headers and fetch options, as JSON', { placeholder: '{ "headers": { "X-Trace": "7" } }', rows: 2 });
    this.hook = number('A beforeRequest hook that takes', { min: 0, max: 600_000, unit: 'ms' });
    this.hook.set(0);
    this.options = new OptionsForm(declarations, change);
    this.element = h('div', {},
      h('div', { class: 'fields' }, this.method.element, this.reader.element),
      this.options.element,
      h('details', { class: 'further' }, h('summary', {}, h('h3', {}, 'Body, headers, hook')),
        h('div', { class: 'fields' }, this.body.element, this.further.element, this.hook.element)));
    this.element.addEventListener('input', change);
  }

  /** Shows a call as scenarios describe it. */
  fill({ method = 'GET', read, options = {}, ...fixed }) {
    this.#fixed = fixed;
    this.#choose(this.method, method);
    this.reader.set(read);
    const { body, ...rest } = this.options.fill(options);
    this.body.set(body ?? '');
    this.further.set(Object.keys(rest).length > 0 ? JSON.stringify(rest) : '');
    this.hook.set(0);
    this.further.input.setCustomValidity('');
  }

  /** The call as scenarios describe it. Throws a SyntaxError where the JSON is none. */
  get value() {
    const further = this.further.get().trim();
    let rest = {};
    this.further.input.setCustomValidity('');
    if (further !== '') {
      try {
        rest = JSON.parse(further);
      } catch (error) {
        this.further.input.setCustomValidity(error.message);
        throw error;
      }
    }
    const body = this.body.get();
    const options = { ...this.options.value, ...rest, ...(body !== '' && { body }) };
    const hook = this.hook.get();
    return { ...this.#fixed, method: this.method.get(), options, read: this.reader.get(), ...(hook > 0 && { hook }) };
  }

  /** Leads the visitor to JSON that is none. */
  showMistake() {
    this.further.element.closest('details').open = true;
    this.further.input.reportValidity();
  }

  #choose(field, value) {
    if (![...field.input.options].some((option) => option.value === value)) {
      field.input.append(h('option', { value }, value));
    }
    field.set(value);
  }
}
