// Merges layers of headers by name, and finds headers that cannot be sent.

import type { HeaderLayer } from './config.js';

import { cut, safely } from './errors.js';

/** A layer whose functions have been asked. */
export type KnownLayer = Exclude<HeaderLayer, () => unknown>;

const isList = (layer: KnownLayer): layer is Extract<KnownLayer, Iterable<unknown>> => Symbol.iterator in layer;

/** @param layers the later the stronger; an undefined value removes */
export function mergeHeaders(layers: readonly KnownLayer[]): Headers {
  const merged = new Headers();
  for (const layer of layers) {
    // Of several values of one name in one layer all count: the platform joins them first.
    const entries = isList(layer) ? new Headers(layer as HeadersInit) : Object.entries(layer);
    for (const [name, value] of entries) {
      if (value === undefined) merged.delete(name);
      else merged.set(name, value);
    }
  }
  return merged;
}

/** A layer as it is now: the caller may change it before it is sent, or sent again. */
export const copyOf = (layer: HeaderLayer): HeaderLayer =>
  typeof layer === 'function' ? layer : isList(layer) ? new Headers(layer as HeadersInit) : { ...layer };

/** Whether it is one that can be sent. */
export const isHeader = (name: unknown, value: unknown): boolean =>
  safely(() => typeof name === typeof value && !!new Headers([[name, value] as [string, string]])) ?? false;

/** Whether it is a key that can be sent: a header whose value is empty has none. */
export const isKey = (value: unknown): value is string => isHeader('x', value) && /\S/.test(value as string);

const entriesOf = (layer: KnownLayer): (readonly [string, unknown])[] => (isList(layer) ? [...layer] : Object.entries(layer));

/** Why the platform refuses headers, without the value that its own message quotes. */
export function wrongHeader(layers: readonly HeaderLayer[]): string | undefined {
  return safely(() => {
    for (const [name, value] of layers.filter((layer) => typeof layer !== 'function').flatMap(entriesOf)) {
      if (!isHeader(name, 'x')) return 'a header has a name that none can have';
      if (!isHeader(name, safely(() => `${value}`))) return `header ${cut(name)}: its value has a line break, or another character that no header can have`;
    }
    return undefined;
  });
}
