// Headers: layers merged by name, and which of them cannot be sent.

import { cut, safely } from './errors.js';

/** @param {Array} layers the later the stronger; an undefined value removes */
export function mergeHeaders(layers) {
  const merged = new Headers();
  for (const layer of layers) {
    // Of several values of one name in one layer all count: the platform joins them first.
    const entries = Symbol.iterator in layer ? new Headers(layer) : Object.entries(layer);
    for (const [name, value] of entries) {
      if (value === undefined) merged.delete(name);
      else merged.set(name, value);
    }
  }
  return merged;
}

/** A layer as it is now: the caller may change it before it is sent, or sent again. */
export const copyOf = (layer) => (typeof layer === 'function' ? layer : Symbol.iterator in layer ? new Headers(layer) : { ...layer });

/** Whether it is one that can be sent. */
export const isHeader = (name, value) => safely(() => typeof name === typeof value && !!new Headers([[name, value]]));

const entriesOf = (layer) => (Symbol.iterator in layer ? [...layer] : Object.entries(layer));

/** What is wrong with headers that the platform refuses: it quotes the value, which may be a secret. */
export function wrongHeader(layers) {
  return safely(() => {
    for (const [name, value] of layers.filter((layer) => typeof layer !== 'function').flatMap(entriesOf)) {
      if (!isHeader(name, 'x')) return 'a header has a name that none can have';
      if (!isHeader(name, safely(() => `${value}`))) return `header ${cut(name)}: its value has a line break, or another character that no header can have`;
    }
  });
}
