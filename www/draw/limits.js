// Where the limits of a call lie on its time axis.

/** @typedef {{ name: string, from: number, at: number, scope: 'call' | 'attempt' }} Limit */

/**
 * @param {import('./timeline.js').Timeline} timeline
 * @param {Record<string, number>} limits milliseconds by option, Infinity for none
 * @returns {Limit[]}
 */
export function limitsOf(timeline, { timeout, headersTimeout, totalTimeout }) {
  const limits = [];
  const add = (name, from, length, scope) => {
    if (Number.isFinite(length)) limits.push({ name, from, at: from + length, scope });
  };
  add('totalTimeout', 0, totalTimeout, 'call');
  // Those of an attempt that is over say nothing any more, unless it was they that ended it.
  const latest = latestAttempt(timeline);
  if (latest !== undefined) {
    add('headersTimeout', latest, headersTimeout, 'attempt');
    add('timeout', latest, timeout, 'attempt');
  }
  for (const { code, startMs, attemptMs, phase } of timeline.attempts.slice(0, -1)) {
    if (code === 'TIMEOUT' && phase === 'headers') add('headersTimeout', startMs, Math.min(headersTimeout, attemptMs), 'attempt');
  }
  return limits;
}

function latestAttempt({ segments }) {
  const last = segments.at(-1)?.kind === 'backoff' ? 0 : Math.max(0, ...segments.map((segment) => segment.attempt));
  return last === 0 ? undefined : segments.find((segment) => segment.attempt === last && segment.kind !== 'backoff')?.start;
}

const NAMES = ['timeout', 'headersTimeout', 'idleTimeout', 'totalTimeout'];

/** The limits in force: given ones, else the defaults from the declarations. What is no duration limits nothing. */
export function limitsInForce(options, declarations) {
  const documented = new Map(declarations.get('TimeOptions').map((option) => [option.name, option.default]));
  return Object.fromEntries(NAMES.map((name) => {
    const value = options[name] ?? JSON.parse(documented.get(name));
    return [name, typeof value === 'number' && value >= 1 ? value : Infinity];
  }));
}
