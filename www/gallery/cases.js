// The cases of the gallery in the order in which they are stepped through.

import { needsCertificate } from '../fault/family.js';
import { capital } from '../format.js';
import { letterOf, titleOf } from './sections.js';

/**
 * @typedef {object} Case a single scenario
 * @property {string} id in the address
 * @property {number} position from 1
 * @property {string} title of the family, with the variant if there are several
 * @property {boolean} certificate whether the browser has to trust the fault server's certificate first
 * @property {object} scenario with a method and options, so that it can be called as it is
 * @property {object} family that it belongs to
 */

/**
 * @param {object[]} catalogue as `loadCatalogue` gives it
 * @returns {{ sections: object[], families: object[], cases: Case[] }} a section has a letter, a title and families; a family
 *   has `cases`
 */
export function arrange(catalogue) {
  const sections = new Map();
  for (const family of catalogue.flatMap(({ families }) => families)) {
    const letter = letterOf(family);
    if (!sections.has(letter)) sections.set(letter, { letter, title: titleOf(letter), families: [] });
    sections.get(letter).families.push({ ...family, letter, title: capital(family.title) });
  }
  const sorted = [...sections.values()].sort((one, other) => compare(one.letter, other.letter));
  for (const { families } of sorted) families.sort((one, other) => compare(one.numbers, other.numbers) || compare(one.title, other.title));
  const families = sorted.flatMap((section) => section.families);
  for (const family of families) family.cases = family.variants.map((variant) => toCase(family, variant));
  const cases = families.flatMap((family) => family.cases);
  for (const [index, one] of cases.entries()) one.position = index + 1;
  return { sections: sorted, families, cases };
}

function toCase(family, { id, label, scenario }) {
  const { call } = scenario;
  return {
    id,
    label,
    title: label && family.variants.length > 1 ? `${family.title}: ${label}` : family.title,
    certificate: needsCertificate(scenario),
    scenario: { ...scenario, call: { ...call, method: call.method ?? 'GET', options: call.options ?? {} } },
    family,
  };
}

function compare(one, other) {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
