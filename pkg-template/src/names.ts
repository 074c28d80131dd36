// Suggests the name that was meant by an unknown one.

/** Names of axios, ky, got and ofetch, each before ours. */
const OTHER_NAMES =
  ' params searchParams query searchParams data json prefix baseUrl prefixUrl baseUrl validateStatus throwHttpErrors withCredentials credentials responseType .json() onRequest hooks.beforeRequest onResponse hooks.afterResponse hooks.init hooks.beforeRequest interceptors hooks cancelToken signal maxContentLength maxResponseBytes adapter fetch'.split(
    ' ',
  );

/** Levenshtein: how many letters differ. */
const distance = (one: string, two: string): number =>
  [...one]
    .reduce(
      (row, a, i) =>
        [...two].reduce((next, b, j) => [...next, Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + Number(a !== b))], [i + 1]),
      [...two, ''].map((_, at) => at),
    )
    .at(-1)!;

export function nearest(name: string, names: readonly string[]): string | undefined {
  let found: string | undefined = OTHER_NAMES[OTHER_NAMES.indexOf(name) + 1] || undefined;
  let least = 4;
  for (const one of !found && name.length < 40 ? names : []) {
    const steps = distance(name.toLowerCase(), one.toLowerCase());
    if (steps < least) [found, least] = [one, steps];
  }
  return found;
}
