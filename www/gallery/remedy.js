// The way out of a case that was skipped.

import { h } from '../element.js';

/** What the visitor can do about a case that was skipped. */
export function remedy({ href } = {}) {
  if (!href) return [];
  return [' ', h('a', { href, target: '_blank', rel: 'noreferrer' }, 'Open it', h('span', { class: 'unseen' }, ' in a new tab')), ', accept it, and run again.'];
}
