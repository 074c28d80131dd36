// The scenarios of the project, as this page can play them.

import { applies, expand } from '/scenarios/scenario.mjs';
import { family } from './family.js';

/** The engine this page runs in, by the names that scenario files use. */
export function engine() {
  const { userAgent } = navigator;
  if (userAgent.includes('Firefox/')) return 'firefox';
  return userAgent.includes('Chrome/') ? 'chromium' : 'webkit';
}

/**
 * The scenario files by group, in the order of the groups: `{ group, families }`, where a family is a file with its
 * variants, the single scenarios.
 */
export async function loadCatalogue() {
  const get = async (file) => {
    const response = await fetch(`/scenarios/${file}`);
    if (!response.ok) throw new Error(`/scenarios/${file} answered ${response.status}`);
    return response.json();
  };
  const names = await get('index.json');
  const files = await Promise.all(names.map(get));
  const here = engine();
  const groups = new Map();
  for (const [index, file] of files.entries()) {
    const variants = expand(file).filter((scenario) => applies(scenario, here, 'javascript'));
    if (variants.length === 0) continue;
    if (!groups.has(file.group)) groups.set(file.group, []);
    groups.get(file.group).push(family(names[index].replace('.json', ''), file, variants));
  }
  return [...groups].map(([group, families]) => ({ group, families })).sort((a, b) => rank(a.group) - rank(b.group));
}

const ORDER = ['answers', 'timeouts', 'retry', 'writes', 'cancel', 'bodies', 'redirects', 'cors', 'requests'];

function rank(group) {
  const place = ORDER.indexOf(group);
  return place === -1 ? ORDER.length : place;
}
