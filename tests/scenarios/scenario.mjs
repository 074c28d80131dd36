// Reads scenario files and judges what was observed. For pages and Node; the format is described in README.md.

/**
 * The single scenarios of a file: the file itself, or one per row. `call`, `expect` and `in` of a row are merged with those
 * of the file key by key; everything else of a row replaces.
 */
export function expand(file) {
  const { rows, ...base } = file;
  if (rows === undefined) return [base];
  return rows.map(({ row, ...own }) => {
    const scenario = { ...base, ...own, name: `${base.name}: ${row}` };
    for (const key of ['call', 'expect', 'in']) {
      if (base[key] && own[key]) scenario[key] = { ...base[key], ...own[key] };
    }
    return scenario;
  });
}

/**
 * Whether a scenario is for this engine ('chromium', 'firefox', 'webkit', 'node') and API ('javascript', 'rust'); with calls
 * `before` only for a runner that makes them.
 */
export function applies(scenario, engine, api, { before = false } = {}) {
  return (scenario.needs?.includes(engine) ?? true) && (scenario.apis?.includes(api) ?? true) && (before || !scenario.before);
}

/** What is expected in an engine: `expect`, with what `in` says of that engine. */
export function expected(scenario, engine) {
  return { ...scenario.expect, ...scenario.in?.[engine] };
}

/**
 * Opens the origins of a scenario on a fault server. Resolves with the main one, and with the scenario, all placeholders
 * replaced: `{origin}` and `{host}` of the main origin, `{NAME.origin}` and `{NAME.host}` of `others`.
 */
export async function place(scenario, server) {
  const places = {};
  const add = (prefix, origin) => {
    places[`${prefix}origin`] = origin.origin;
    places[`${prefix}host`] = new URL(origin.origin).host;
  };
  const opened = [];
  for (const [name, { origin, script }] of Object.entries(scenario.others ?? {})) {
    const other = await server.open({ ...origin, script });
    opened.push(other);
    add(`${name}.`, other);
  }
  const origin = await server.open(scenario.origin);
  opened.push(origin);
  add('', origin);
  const placed = replace(scenario, places);
  if (placed.script) await origin.script(placed.script);
  const close = () => Promise.all(opened.map((one) => one.close()));
  return { origin, scenario: placed, close };
}

function replace(value, places) {
  if (typeof value === 'string') {
    return value.replace(/\{([a-z.]+)\}/g, (text, name) => places[name] ?? text);
  }
  if (Array.isArray(value)) return value.map((one) => replace(one, places));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replace(one, places)]));
}

/** What of the expectations is about the server: pass it to `origin.wait` before taking the report that is judged. */
export function awaited(expect) {
  const counts = { open: 0 };
  for (const key of ['requests', 'closes', 'commits', 'preflights']) {
    const least = typeof expect[key] === 'number' ? expect[key] : expect[key]?.min;
    if (least > 0) counts[key] = least;
  }
  return counts;
}

/**
 * The differences between what was expected and what was observed, as sentences; none if all is well.
 *
 * @param expect as `expected` gives it
 * @param observed `ok`, `value`, `status`, `attempts` (a number), `attemptOutcomes`, `elapsed`, `report` (of the main
 *   origin), and of an error its `code`, `phase`, `outcome`, `hint`, `retryStopped`, `retryAfterMs`, `bytesReceived`,
 *   `limit`, `data`, `cause`
 */
export function judge(expect, observed) {
  const { report } = observed;
  // What is redirected without its body has nothing to compare.
  const bodies = report.log.filter((entry) => entry.method !== 'GET').map((entry) => entry.body);
  const seen = {
    ...observed,
    requests: report.requests,
    closes: report.closes,
    commits: report.commits,
    preflights: report.preflights,
    maxOpen: report.maxOpen,
  };
  const differences = [];
  const miss = (key, wanted, is) => {
    differences.push(`${key}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(is)}`);
  };
  for (const [key, wanted] of Object.entries(expect)) {
    switch (key) {
      case 'value':
      case 'data':
      case 'cause':
      case 'attemptOutcomes':
        if (!equal(wanted, seen[key])) miss(key, wanted, seen[key]);
        break;
      case 'contains':
        if (!contains(seen.value, wanted)) miss('value', wanted, seen.value);
        break;
      case 'repeated': {
        const whole = wanted.text.repeat(wanted.times);
        if (seen.value !== whole) miss('value', `${whole.length} characters`, seen.value?.length);
        break;
      }
      case 'paths':
        for (const [path, count] of Object.entries(wanted)) {
          const number = report.log.filter((entry) => entry.route === path).length;
          if (!fits(count, number)) miss(`requests to ${path}`, count, number);
        }
        break;
      case 'bodies':
        if (!bodies.every((body) => body === wanted)) miss('bodies', wanted, bodies);
        break;
      default:
        if (!fits(wanted, seen[key])) miss(key, wanted, seen[key]);
    }
  }
  return differences;
}

/** A value, a list of allowed values, or a range. */
function fits(wanted, is) {
  if (Array.isArray(wanted)) return wanted.includes(is);
  if (wanted !== null && typeof wanted === 'object') {
    return typeof is === 'number' && is >= (wanted.min ?? -Infinity) && is <= (wanted.max ?? Infinity);
  }
  return equal(wanted, is);
}

/** Deep equality of JSON values; null stands for undefined too. */
function equal(wanted, is) {
  if (wanted === null) return is === null || is === undefined;
  if (typeof wanted !== 'object') return wanted === is;
  if (is === null || typeof is !== 'object' || Array.isArray(wanted) !== Array.isArray(is)) return false;
  const keys = Object.keys(wanted);
  return keys.length === Object.keys(is).length && keys.every((key) => equal(wanted[key], is[key]));
}

function contains(is, wanted) {
  if (wanted === null || typeof wanted !== 'object' || Array.isArray(wanted)) return equal(wanted, is);
  return is !== null && typeof is === 'object'
    && Object.entries(wanted).every(([key, value]) => contains(is[key], value));
}
