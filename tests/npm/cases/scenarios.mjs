// The shared scenarios, played against the JavaScript API.

import { BROWSERS, RUNTIMES } from '../harness/hosts.mjs';

const directory = import.meta.url.startsWith('file:') ? new URL('../../scenarios/', import.meta.url) : new URL('/scenarios/', import.meta.url);
const { applies, awaited, expand, expected, judge, place } = await import(new URL('scenario.mjs', directory).href);

/** In a page the files come over HTTP, else from the disk. */
async function read(name) {
  const url = new URL(name, directory);
  if (url.protocol !== 'file:') return (await fetch(url)).json();
  const { readFile } = await import('node:fs/promises');
  return JSON.parse(await readFile(url, 'utf8'));
}

/** What the scenarios call an engine. Nothing is said of Deno and Bun: they are to do what Node does. */
const engineOf = (host) => (RUNTIMES.includes(host) ? 'node' : host);
const files = await Promise.all((await read('index.json')).map(read));
const scenarios = files.flatMap(expand);

/** What the caller hands over; `signal` apart. */
function options({ options: given, bodyBytes, formData }) {
  const all = { ...given };
  if (bodyBytes !== undefined) all.body = new Uint8Array(bodyBytes);
  if (formData !== undefined) {
    all.body = new FormData();
    for (const [name, value] of Object.entries(formData)) all.body.append(name, value);
  }
  return all;
}

/** Starts the call and reads as the scenario says; resolves with `{ value, response }`. */
async function perform(api, call, url, signal) {
  const { method = 'GET', argument, read: reader = 'json' } = call;
  const { body, headers, ...rest } = options(call);
  const given = { ...rest, ...(signal && { signal }) };
  const shortcut = api[method.toLowerCase()];
  if (reader === 'fetch' || argument === 'request' || !shortcut) {
    const response = argument === 'request'
      ? await api.fetch(new Request(url, { method, body, headers }), given)
      : await api.fetch(url, { method, body, headers, ...given });
    return { response, value: reader === 'json' ? await response.json() : await response.text() };
  }
  const promise = shortcut(url, { body, headers, ...given });
  if (reader === 'none') return { response: await promise };
  const [value, response] = await Promise.all([promise[reader](), promise]);
  return { response, value: reader === 'bytes' ? new TextDecoder().decode(value) : value };
}

/** The calls that come before, whatever becomes of them. */
async function goBefore(t, api, { origin, scenario: { before = [] } }) {
  for (const { times = 1, leave, ...call } of before) {
    const one = () => perform(api, call, call.url ?? origin.url(call.path)).catch(() => {});
    if (leave) Array.from({ length: times }, one);
    for (let time = 0; time < times && !leave; time += 1) await one();
  }
  if (before.some(({ leave }) => leave)) await origin.wait({ requests: 1 });
}

async function play(t, scenario) {
  const placed = await place(scenario, t.server);
  try {
    const { call } = placed.scenario;
    const expect = expected(placed.scenario, engineOf(t.host));
    const api = t.lib.createClient(call.client);
    await goBefore(t, api, placed);
    const url = call.url ?? placed.origin.url(call.path);
    const controller = call.abort && new AbortController();
    const abort = () => controller.abort(call.abort.reason);
    if (call.abort?.after === 0) abort();
    const result = t.settle(() => perform(api, call, url, controller?.signal));
    if (call.abort?.after > 0) t.sleep(call.abort.after).then(abort);
    const { value: outcome, error, failed, ms } = await result;
    const info = failed ? t.info(error) ?? { code: t.show(error), attempts: [] } : undefined;
    const observed = {
      ok: !failed,
      elapsed: ms,
      ...(failed
        ? {
          ...pick(info, ['code', 'phase', 'outcome', 'hint', 'retryStopped', 'retryAfterMs', 'bytesReceived', 'limit', 'data', 'cause', 'status']),
          attempts: info.attempts.length,
          attemptOutcomes: info.attempts.map((attempt) => attempt.outcome),
        }
        : {
          value: outcome.value,
          status: outcome.response.status,
          attempts: t.lib.callInfo(outcome.response)?.attempts,
        }),
      report: await placed.origin.wait(awaited(expect)).catch(({ report }) => report),
    };
    const differences = judge(expect, observed);
    t.equal(differences.join('; '), '', scenario.doc);
    // The reason of the caller is that very value, not a copy of it.
    if (failed && call.abort) t.ok(error === controller.signal.reason || info.cause === controller.signal.reason, 'the reason, by identity');
  } finally {
    await placed.close();
  }
}

const pick = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));

/** Bun sends these, or calls them an outage. */
const SENT_BY_BUN = /mistakes in the request: (method TRACE|a method with a space|GET with a body|mode navigate)$/;

function isFor(host, scenario) {
  return applies(scenario, engineOf(host), 'javascript', { before: true }) && !(host === 'bun' && SENT_BY_BUN.test(scenario.name));
}

export default scenarios.map((scenario) => ({
  name: `scenario ${scenario.name}`,
  hosts: [...BROWSERS, ...RUNTIMES].filter((host) => isFor(host, scenario)),
  // Their bounds are generous enough.
  parallel: true,
  leavesTimers: scenario.call?.read === 'none',
  needs: scenario.call?.client,
  run: (t) => play(t, scenario),
}));
