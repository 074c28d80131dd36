// The list of all cases: a link for each family, by section.

import { h } from '../element.js';
import { STATES, together } from './states.js';

export class CaseList {
  #rows = new Map();
  #current;

  /** @param {{ sections: object[], cases: object[] }} arranged */
  constructor({ sections }, search) {
    this.empty = h('p', { class: 'hint', hidden: true }, 'No case fits.');
    this.groups = sections.map((section) => this.#section(section));
    this.element = h('div', { class: 'case-list' }, ...this.groups, this.empty);
    search.addEventListener('input', () => this.#filter(search.value));
  }

  /** Marks the family of a case as the one that is shown. */
  select({ family }) {
    this.#current?.removeAttribute('aria-current');
    const { link } = this.#rows.get(family.id);
    link.setAttribute('aria-current', 'true');
    this.#current = link;
    this.#reveal(link);
  }

  /** @param {(id: string) => string} stateOf the state of a case */
  mark({ family }, stateOf) {
    const { link, mark, words } = this.#rows.get(family.id);
    const state = together(family.cases.map(({ id }) => stateOf(id)));
    link.dataset.state = state;
    mark.textContent = STATES[state].mark;
    words.textContent = state === 'fresh' ? '' : `, ${STATES[state].words}`;
  }

  #section({ letter, title, families }) {
    const id = `section-${letter}`;
    return h('section', { class: 'case-group', 'aria-labelledby': id },
      h('h3', { id }, h('span', { class: 'letter', 'aria-hidden': 'true' }, letter), title),
      h('ul', {}, ...families.map((family) => this.#row(family))));
  }

  #row(family) {
    const { id, title, numbers, doc, cases } = family;
    const mark = h('span', { class: 'mark', 'aria-hidden': 'true' });
    const words = h('span', { class: 'unseen' });
    const count = cases.length > 1 ? `${cases.length}×` : '';
    const link = h('a', { href: `#${cases[0].id}`, 'data-state': 'fresh' }, mark, h('span', { class: 'name' }, title, words),
      count && h('small', { title: `${cases.length} variants` }, h('span', { 'aria-hidden': 'true' }, count), h('span', { class: 'unseen' }, `, ${cases.length} variants`)));
    const row = h('li', {}, link);
    this.#rows.set(id, { row, link, mark, words, haystack: `${numbers} ${title} ${doc}`.toLowerCase() });
    return row;
  }

  #filter(text) {
    const words = text.toLowerCase().split(/\s+/);
    for (const { row, haystack } of this.#rows.values()) row.hidden = !words.every((word) => haystack.includes(word));
    for (const group of this.groups) group.hidden = !group.querySelector('li:not([hidden])');
    this.empty.hidden = this.groups.some((group) => !group.hidden);
  }

  /** Scrolls the list, and nothing else. */
  #reveal(link) {
    const list = this.element;
    const above = link.getBoundingClientRect().top - list.getBoundingClientRect().top;
    const room = list.clientHeight - link.offsetHeight;
    if (above < 2 * link.offsetHeight || above > room) list.scrollTop += above - list.clientHeight / 3;
  }
}
