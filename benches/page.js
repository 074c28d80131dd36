// The page of the benchmark; run.mjs calls what it puts on the global object.

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
