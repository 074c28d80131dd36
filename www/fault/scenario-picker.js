// Picks a scenario: a list of families by group, and the variants of the one that is chosen.

import { h, uniqueId } from '../element.js';
import { capital } from '../format.js';
import { prose } from '../prose.js';
import { named, needsCertificate } from './family.js';

export class ScenarioPicker {
  #families = [];
  #chosen;
  #change;

  constructor(groups, change) {
    this.#change = change;
    const search = h('input', { type: 'search', placeholder: 'Search', autocomplete: 'off', 'aria-label': 'Search the scenarios' });
    search.addEventListener('input', () => this.#filter(search.value));
    this.empty = h('p', { class: 'hint', hidden: true }, 'No scenario fits.');
    this.list = h('div', { class: 'scenarios', role: 'radiogroup', 'aria-label': 'Scenarios' });
    for (const { group, families } of groups) this.list.append(this.#group(group, families));
    const id = uniqueId('variant');
    this.variants = h('select', { id });
    this.variants.addEventListener('change', () => this.#change(this.value));
    this.variantField = h('div', { class: 'field' }, h('label', { for: id }, 'Variant'), this.variants);
    this.doc = h('p', { class: 'doc' });
    this.element = h('div', { class: 'picker' }, search, this.list, this.empty, h('div', { class: 'about' }, this.doc, this.variantField));
    this.choose(this.#families[0]);
  }

  /** The chosen scenario. */
  get value() {
    return this.#chosen.variants[Number(this.variants.value)].scenario;
  }

  /** Chooses what the fragment of an address names; gives back whether it names anything. */
  chooseNamed(fragment) {
    const found = named(this.#families, fragment);
    if (!found) return false;
    this.choose(found.family);
    this.variants.value = String(found.family.variants.indexOf(found.variant));
    this.list.scrollTop = found.family.row.offsetTop - this.list.clientHeight / 3;
    return true;
  }

  choose(family) {
    this.#chosen = family;
    family.radio.checked = true;
    const notes = needsCertificate(family.variants[0].scenario)
      ? ' Its server has a certificate of its own making, which your browser has to be told to trust.'
      : '';
    this.doc.replaceChildren(...prose(family.doc + notes));
    this.variants.replaceChildren(...family.variants.map(({ label }, index) => h('option', { value: String(index) }, capital(label))));
    this.variantField.hidden = family.variants.length === 1;
  }

  #group(group, families) {
    const options = families.map((family) => {
      const radio = h('input', { type: 'radio', name: 'scenario' });
      radio.addEventListener('change', () => {
        this.choose(family);
        this.#change(this.value);
      });
      const row = h('label', { class: 'scenario' }, radio, h('span', {}, capital(family.title)),
        family.variants.length > 1 && h('small', {}, `${family.variants.length} variants`));
      Object.assign(family, { radio, row });
      this.#families.push(family);
      return row;
    });
    return h('div', { class: 'group', role: 'group', 'aria-label': capital(group) }, h('h3', { 'aria-hidden': 'true' }, capital(group)), ...options);
  }

  #filter(text) {
    const words = text.toLowerCase().split(/\s+/);
    let found = 0;
    for (const { row, title, numbers, doc } of this.#families) {
      const haystack = `${numbers} ${title} ${doc}`.toLowerCase();
      row.hidden = !words.every((word) => haystack.includes(word));
      if (!row.hidden) found += 1;
    }
    for (const group of this.list.children) group.hidden = !group.querySelector('.scenario:not([hidden])');
    this.empty.hidden = found > 0;
  }
}
