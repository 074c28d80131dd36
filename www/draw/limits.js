// Where the limits of a call lie on its time axis.

/** @typedef {{ name: string, from: number, at: number, scope: 'call' | 'attempt' }} Limit */

/**
 * @param {import('./timeline.js').Timeline} timeline
 * @param {Record<string, number>} limits milliseconds by option, Infinity for none
 * @returns {Limit[]}
 */
export function limitsOf({ attempts, open, end }, { timeout, headersTimeout, idleTimeout, totalTimeout }) {
  const limits = [];
  const add = (name, from, length, scope = 'attempt') => {
    if (Number.isFinite(length)) limits.push({ name, from, at: from + length, scope });
  };
  add('totalTimeout', 0, totalTimeout, 'call');
  const latest = end ? attempts.at(-1) : undefined;
  for (const attempt of attempts) {
    const { code, phase, startMs, attemptMs, headersMs } = attempt;
    const ended = code === 'TIMEOUT';
    if (ended && phase === 'idle') add('idleTimeout', startMs + attemptMs - idleTimeout, idleTimeout);
    // Of the earlier ones only those limits count that were passed.
    if (attempt !== latest && !ended) continue;
    if (headersMs === undefined) add('headersTimeout', startMs, headersTimeout);
    if (attempt === latest || headersTimeout > timeout) add('timeout', startMs, timeout);
  }
  if (open?.kind === 'attempt') {
    add('headersTimeout', open.start, headersTimeout);
    add('timeout', open.start, timeout);
  }
  return limits;
}

const NAMES = ['timeout', 'headersTimeout', 'idleTimeout', 'totalTimeout'];

/** The limits in force: given ones, else the defaults from the declarations. What is no duration limits nothing. */
export function limitsInForce({ options, read }, declarations) {
  const documented = new Map(declarations.get('TimeOptions').map((option) => [option.name, option.default]));
  return Object.fromEntries(NAMES.map((name) => {
    // Where api.fetch has a default of its own, it stands behind that of the shortcuts.
    const defaults = documented.get(name).split(', api.fetch: ');
    const value = options[name] ?? JSON.parse(read === 'fetch' ? defaults.at(-1) : defaults[0]);
    return [name, typeof value === 'number' && value >= 1 ? value : Infinity];
  }));
}
