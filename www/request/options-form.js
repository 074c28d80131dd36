// All time and retry options of the package, from its own declarations.

import { h } from '../element.js';
import { plural } from '../format.js';
import { isFunction, OptionField } from './option-field.js';

/** Where everything is one column the groups would push the buttons out of sight. */
const wide = matchMedia('(min-width: 56rem)');
/** What is neither about time nor about retries, and can be shown in a form. */
const FURTHER = ['idempotent', 'maxResponseBytes', 'throwHttpErrors'];

export class OptionsForm {
  /** @param {Map} declarations as `loadDeclarations` gives them */
  constructor(declarations, change) {
    const all = [...declarations.values()].flat();
    const times = declarations.get('TimeOptions');
    const retry = declarations.get('RetryOptions').filter((option) => !isFunction(option));
    const further = FURTHER.map((name) => all.find((option) => option.name === name));
    this.groups = [
      new OptionGroup('Time limits', times, { open: wide.matches }),
      new OptionGroup('Retry', retry, { open: wide.matches, parent: 'retry' }),
      new OptionGroup('More', further, { open: false }),
    ];
    this.element = h('div', { class: 'options' }, ...this.groups.map((group) => group.element));
    this.element.addEventListener('input', () => {
      for (const group of this.groups) group.count();
      change();
    });
  }

  /** Shows these options; gives back those that have no field here. */
  fill(options) {
    const rest = { ...options };
    for (const group of this.groups) group.fill(rest);
    return rest;
  }

  /** The options that are set. */
  get value() {
    return Object.assign({}, ...this.groups.map((group) => group.value));
  }
}

class OptionGroup {
  #summary = h('small');

  constructor(title, options, { open, parent }) {
    this.parent = parent;
    this.fields = options.map((option) => new OptionField(option));
    this.element = h('details', { open }, h('summary', {}, h('h3', {}, title, ' ', this.#summary)), ...this.fields.map((field) => field.element));
  }

  fill(options) {
    const given = this.parent === undefined ? options : merged(options[this.parent]);
    for (const field of this.fields) {
      field.value = given[field.name];
      delete given[field.name];
    }
    if (this.parent !== undefined && Object.keys(given).length === 0) delete options[this.parent];
    this.count();
  }

  get value() {
    const set = this.fields.filter((field) => field.isSet).map((field) => [field.name, field.value]);
    const value = Object.fromEntries(set);
    if (this.parent === undefined || set.length === 0) return this.parent === undefined ? value : {};
    return { [this.parent]: value };
  }

  count() {
    const count = this.fields.filter((field) => field.isSet).length;
    this.#summary.textContent = count === 0 ? 'defaults' : `${plural(count, 'value')} set`;
  }
}

/** `retry: 3` and `retry: false` in the words of the object. */
function merged(retry) {
  if (retry === undefined) return {};
  if (retry === false) return { limit: 0 };
  return typeof retry === 'number' ? { limit: retry } : { ...retry };
}
