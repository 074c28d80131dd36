// Labelled form fields: `{ element, get, set }` each.

import { h, uniqueId } from './element.js';

export function text(label, { placeholder = '', mono = false } = {}) {
  const input = h('input', { type: 'text', placeholder, autocomplete: 'off', spellcheck: false, class: mono ? 'mono' : '' });
  return labelled(label, input, { get: () => input.value.trim(), set: (value) => { input.value = value; } });
}

export function area(label, { placeholder = '', rows = 3 } = {}) {
  const input = h('textarea', { placeholder, rows, autocomplete: 'off', spellcheck: false, class: 'mono' });
  return labelled(label, input, { get: () => input.value, set: (value) => { input.value = value; }, wide: true });
}

/** Out of range is brought into range; nothing is the least. */
export function number(label, { min, max, unit }) {
  const input = h('input', { type: 'number', min: String(min), max: String(max), step: '1' });
  const get = () => Math.min(max, Math.max(min, Math.round(input.valueAsNumber || 0)));
  return labelled(label, input, { get, set: (value) => { input.value = String(value); }, unit });
}

export function select(label, choices) {
  const input = h('select', {}, ...Object.entries(choices).map(([value, name]) => h('option', { value }, name)));
  return labelled(label, input, { get: () => input.value, set: (value) => { input.value = value; } });
}

export function checkbox(label) {
  const input = h('input', { type: 'checkbox' });
  const element = h('label', { class: 'check' }, input, h('span', {}, label));
  return { element, input, get: () => input.checked, set: (value) => { input.checked = value; } };
}

function labelled(label, input, { get, set, unit, wide }) {
  input.id = uniqueId('field');
  const control = unit ? h('span', { class: 'with-unit' }, input, h('span', { class: 'unit' }, unit)) : input;
  const element = h('div', { class: wide ? 'field wide' : 'field' }, h('label', { for: input.id }, label), control);
  return { element, input, get, set };
}
