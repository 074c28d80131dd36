// What a scenario calls right beside what came, field by field.

import { bytes, capital, duration } from '../format.js';

const NAMES = {
  ok: 'Result',
  value: 'Value',
  contains: 'Value',
  repeated: 'Value',
  retryStopped: 'No retry because of',
  retryAfterMs: 'Asked to wait',
  bytesReceived: 'Bytes received',
  attemptOutcomes: 'Outcome of each attempt',
  elapsed: 'Time',
  requests: 'Requests seen',
  closes: 'Closed by the client',
  commits: 'Work done',
  preflights: 'Preflights seen',
  maxOpen: 'Open at a time',
  paths: 'Requests by path',
  bodies: 'Body of each request',
};
/** Those that the server counts. */
const COUNTED = new Set(['requests', 'closes', 'commits', 'preflights', 'maxOpen']);
const LONGEST = 80;

/**
 * @param {(right: object, observed: object) => string[]} judge of the scenarios
 * @param {object} right as `expected` gives it
 * @param {object} [observed] as `judge` takes it; left out before the run
 * @returns {{ name: string, right: string, came: string | undefined, fits: boolean | undefined }[]}
 */
export function compare(judge, right, observed) {
  return Object.entries(right).map(([key, wanted]) => ({
    name: NAMES[key] ?? capital(key),
    right: rightText(key, wanted, right),
    came: observed && came(key, observed, wanted),
    fits: observed && judge({ [key]: wanted }, observed).length === 0,
  }));
}

function rightText(key, wanted, right) {
  if (key === 'repeated') return `${wanted.text} × ${wanted.times}`;
  if (key === 'contains') return `contains ${short(JSON.stringify(wanted))}`;
  if (key === 'paths') return Object.entries(wanted).map(([path, count]) => `${path}: ${range('requests', count, right)}`).join(', ');
  if (key === 'value' || key === 'data' || key === 'cause' || key === 'attemptOutcomes' || key === 'bodies') return one(key, wanted, right);
  return range(key, wanted, right);
}

/** A value, any of a list, or a range. */
function range(key, wanted, right) {
  if (Array.isArray(wanted)) return wanted.map((each) => one(key, each, right)).join(' or ');
  if (wanted === null || typeof wanted !== 'object') return one(key, wanted, right);
  const { min, max } = wanted;
  if (min === undefined) return `at most ${one(key, max, right)}`;
  if (max === undefined) return `at least ${one(key, min, right)}`;
  return `${one(key, min, right)} to ${one(key, max, right)}`;
}

function came(key, observed, wanted) {
  const { report } = observed;
  if (COUNTED.has(key)) return String(report[key]);
  if (key === 'contains' || key === 'repeated') return one('value', observed.value, observed);
  if (key === 'paths') {
    return Object.keys(wanted).map((path) => `${path}: ${report.log.filter(({ route }) => route === path).length}`).join(', ');
  }
  if (key === 'bodies') {
    return [...new Set(report.log.filter(({ method }) => method !== 'GET').map(({ body }) => one(key, body, observed)))].join(', ') || 'none';
  }
  return one(key, observed[key], observed);
}

function one(key, value, { code }) {
  if (key === 'ok') return value ? 'success' : 'failure';
  if (value === undefined || value === null) return 'none';
  if (key === 'elapsed' || key === 'retryAfterMs') return duration(value);
  if (key === 'limit') return code === 'RESPONSE_TOO_LARGE' ? bytes(value) : duration(value);
  if (value instanceof Response) return 'a Response';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return short(typeof value === 'string' && key !== 'value' ? value : JSON.stringify(value));
}

function short(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}
