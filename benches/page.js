// The page of the benchmark: run.mjs calls what it puts on the global object, or says in its address where to report to.

import * as steadfetch from 'steadfetch';

import { contestants } from './contestants/index.js';
import { duties } from './duties.js';
import { measure } from './rounds.js';

globalThis.bench = steadfetch.ready().then(() => {
  const all = contestants(steadfetch);
  const named = (names) => (names ? all.filter(({ name }) => names.includes(name)) : all);
  return {
    duties: () => duties(all),
    stubbed: ({ names, ...plan }) => measure(named(names), plan),
    network: ({ names, ...plan }) => measure(named(names), { ...plan, fetch: (...args) => fetch(...args) }),
  };
});

const { sink, plan } = Object.fromEntries(new URLSearchParams(location.search));

if (sink) {
  // In a row: two measurements at once would slow each other.
  const found = globalThis.bench.then(async ({ duties, stubbed }) => ({
    version: navigator.userAgent.split(' ').at(-1).replace('/', ' '),
    duties: await duties(),
    times: await stubbed(JSON.parse(plan)),
  }));
  const report = await found.catch((error) => ({ error: `${error}` }));
  await fetch(sink, { method: 'POST', body: JSON.stringify(report) });
}
