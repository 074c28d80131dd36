// What a tour of all cases came to: by section, and with a link to each case that was not as expected.

import { h } from '../element.js';
import { duration, plural } from '../format.js';
import { remedy } from './remedy.js';

/** In a sentence. */
export function tourWords(tour) {
  const done = tour.outcomes.size;
  const parts = [
    `${tour.count('expected')} as expected`,
    `${tour.count('unexpected')} not`,
    tour.count('skipped') > 0 && `${tour.count('skipped')} skipped`,
  ];
  const how = done === tour.cases.length ? `${plural(done, 'case')} in ${duration(tour.elapsed)}` : `Stopped after ${done} of ${plural(tour.cases.length, 'case')}`;
  return `${how}: ${parts.filter(Boolean).join(', ')}.`;
}

/** @param {object[]} sections of the gallery */
export function tourReport(tour, sections) {
  const head = ['Section', 'Cases', 'Right', 'Wrong', 'Skipped'];
  const rows = sections.map(({ title, families }) => {
    const cases = families.flatMap((family) => family.cases);
    const counts = [cases.length, ...['expected', 'unexpected', 'skipped'].map((state) => tour.count(state, cases))];
    return h('tr', {}, h('th', { scope: 'row' }, title), ...counts.map((count) => h('td', {}, String(count))));
  });
  const odd = tour.cases.filter(({ id }) => tour.outcomes.get(id)?.state === 'unexpected');
  const skipped = tour.cases.map(({ id }) => tour.outcomes.get(id)).find((outcome) => outcome?.state === 'skipped');
  return [
    h('p', { class: 'headline', 'data-state': odd.length === 0 ? 'ok' : 'failed' }, tourWords(tour)),
    odd.length > 0 && h('ul', { class: 'odd' }, ...odd.map(({ id, title }) => h('li', {}, h('a', { href: `#${id}` }, title)))),
    skipped && h('p', { class: 'hint' }, 'Skipped: ', skipped.note, ...remedy(skipped)),
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'By section' }, h('table', { class: 'numbers' },
      h('thead', {}, h('tr', {}, ...head.map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, ...rows))),
  ].filter(Boolean);
}
