// Headers: layers merged by name.

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
