// Colours for TypeScript: just enough to read a call.

import { h } from '../element.js';

const TOKENS = /(?<comment>\/\/[^\n]*)|(?<string>'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<keyword>\b(?:import|from|const|new|await|true|false|null|undefined|return)\b)|(?<number>\b\d[\w.]*\b)|(?<call>\b\w+(?=\())/g;

/** The source as text nodes and spans. */
export function highlight(source) {
  const parts = [];
  let done = 0;
  for (const match of source.matchAll(TOKENS)) {
    const [kind] = Object.entries(match.groups).find(([, text]) => text !== undefined);
    parts.push(source.slice(done, match.index), h('span', { class: `token-${kind}` }, match[0]));
    done = match.index + match[0].length;
  }
  parts.push(source.slice(done));
  return parts;
}
