// Native fetch and `api.fetch`, asked the same: what their callers see, and what the server saw.

import { show } from '../harness/assert.mjs';
import { random } from '../harness/random.mjs';
import { expected } from './differences.mjs';
import { perform } from './perform.mjs';
import { stepOf, triple } from './triples.mjs';

/** What differs from one request to the next anyway. */
const NOISE = /^(host|connection|date)$/;
const BOUNDARY = /(-{4,}\w*(form)?-?boundary|-{4,}geckoformboundary)?[-\w]{16,}/gi;

/** Its boundary, and so its length, differs from one request to the next. */
const isMultipart = (headers) => /multipart/.test(headers['content-type']);

const hideBoundary = (text) => (typeof text === 'string' && /form-data|multipart/.test(text) ? text.replace(BOUNDARY, '<boundary>') : text);

/** What went over the wire, without the names of the paths. */
const wire = ({ method, headers, body }) => ({
  method,
  body: hideBoundary(body),
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !NOISE.test(name) && !(name === 'content-length' && isMultipart(headers))).map(([name, value]) => [name, hideBoundary(value)])),
});

/** @returns {Promise<string[]>} what differs, each with the triple that shows it */
export async function compare(t, seed, count) {
  const draw = random(seed);
  const away = t.inBrowser ? await t.open() : t.home;
  const triples = Array.from({ length: count }, () => triple(draw, t.inBrowser));
  const routes = { own: [], away: [] };
  triples.forEach((one, at) => {
    for (const side of ['n', 'o']) routes[one.origin === 'own' ? 'own' : 'away'].push({ path: `/${side}/${at}`, steps: [stepOf(one)] });
  });
  for (const list of Object.values(routes)) list.push({ path: '/landed', steps: [{ body: 'landed' }] });
  await t.home.script({ routes: t.inBrowser ? routes.own : [...routes.own, ...routes.away] });
  if (away !== t.home) await away.script({ routes: routes.away });
  // No limit, no retry: what is left is meant to be fetch.
  const api = t.lib.createClient({ retry: false, timeout: false, idleTimeout: false, totalTimeout: false });
  const native = globalThis.fetch;
  const found = [];
  for (const [at, one] of triples.entries()) {
    const origin = one.origin === 'own' ? t.home : away;
    const ask = (side, send) => {
      const hide = (text) => `${text}`.replaceAll(origin.origin, '').replaceAll(`/${side}/${at}`, '/x');
      // One that never ends is a difference too.
      return t.settle(() => perform(send, one, origin.url(`/${side}/${at}`), hide)).catch((error) => ({ error }));
    };
    const { value: theirs, error: why } = await ask('n', (...given) => native(...given));
    const { value: ours, error } = await ask('o', api.fetch);
    // What ends neither way is no difference.
    if (why && error) continue;
    const difference = why || error ? `${show(why)} and ${show(error)}` : differenceOf(theirs, ours);
    if (difference && (why || error || !expected(one, theirs, ours, t.host))) found.push({ at, one, difference });
  }
  api.close();
  await t.turn(8);
  for (const origin of new Set([t.home, away])) {
    const { log } = await origin.report();
    const byPath = Map.groupBy?.(log, ({ url }) => url) ?? group(log);
    triples.forEach((one, at) => {
      const [theirs, ours] = ['n', 'o'].map((side) => byPath.get(`/${side}/${at}`)?.map(wire))
        // What gets no answer on a connection that was used before is sent again by browsers themselves.
        .map((requests) => (one.server === 'no answer' ? requests?.slice(0, 1) : requests));
      if (one.signal === 'aborted at once' || (!theirs && !ours)) return;
      const difference = differenceOf({ wire: theirs }, { wire: ours });
      if (difference && !expected(one, { wire: theirs }, { wire: ours }, t.host)) found.push({ at, one, difference });
    });
  }
  return found.map(({ at, one, difference }) => `seed ${seed}, ${at}: ${JSON.stringify(one)}\n    ${difference}`);
}

function group(log) {
  const groups = new Map();
  for (const entry of log) groups.set(entry.url, [...(groups.get(entry.url) ?? []), entry]);
  return groups;
}

/** The first field that differs. */
function differenceOf(theirs, ours) {
  const sides = [theirs, ours].map((side) => ({ ...side.head, ...side, head: undefined }));
  for (const name of new Set(sides.flatMap(Object.keys))) {
    const [one, other] = sides.map((side) => JSON.stringify(side[name]));
    if (one !== other) return `${name}: fetch ${one}, api.fetch ${other}`;
  }
  return undefined;
}
