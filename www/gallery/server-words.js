// What a script makes the fault server do, in words. The fields are those of tests/server/README.md.

import { bytes, duration, plural } from '../format.js';

const LONGEST = 60;
const INSTEAD = {
  reset: 'resets the connection (RST) instead of answering',
  fin: 'closes the connection without an answer',
  hang: 'never answers',
};
const AFTERWARDS = {
  hang: 'then falls silent',
  cut: 'then cuts the connection in the middle',
  reset: 'then resets the connection',
};

/**
 * @param {{ origin?: object, script?: object, others?: object }} scenario
 * @returns {{ who: string, does: string }[]}
 */
export function serverWords({ origin = {}, script = {}, others = {} }) {
  return [
    ...connectionWords(origin),
    ...scriptWords(script),
    ...Object.entries(others).flatMap(([name, other]) => scriptWords(other.script ?? {}, ` at the origin “${name}”`)),
  ];
}

function connectionWords({ refuse, refuseFor, resetConnections, tls, http2 }) {
  const words = [];
  const add = (does) => words.push({ who: 'The connection', does });
  if (refuse) add('is refused: nobody listens');
  if (refuseFor !== undefined) add(`is refused for the first ${duration(refuseFor)}`);
  if (resetConnections > 0) add(`is reset before anything is read, ${resetConnections === 1 ? 'once' : `${resetConnections} times`}`);
  if (tls) add(`is HTTPS${http2 ? ' with HTTP/2' : ''}`);
  return words;
}

function scriptWords({ routes = [] }, where = '') {
  const several = routes.length > 1 || where !== '';
  return routes.flatMap(({ path, steps }) => steps.map((step, index) => ({
    who: `${which(index, steps.length)}${several ? ` to ${path}` : ''}${where}`,
    does: stepWords(step),
  })));
}

function which(index, count) {
  if (count === 1) return 'Every request';
  return index + 1 === count ? `Request ${index + 1} and later` : `Request ${index + 1}`;
}

/** One step, in the order in which it acts. */
export function stepWords(step) {
  const words = [...beforehand(step)];
  if (step.before) words.push(INSTEAD[step.before]);
  else words.push(answer(step));
  if (step.goaway) words.push('with a GOAWAY');
  if (step.dropConnection) words.push('taking the whole connection down');
  if (AFTERWARDS[step.end]) words.push(AFTERWARDS[step.end]);
  return words.join(', ');
}

function* beforehand({ preflight, commit, gate, delay, readBody }) {
  if (preflight?.delay) yield `answers the preflight after ${duration(preflight.delay)}`;
  if (preflight?.allowHeaders) yield `allows only ${preflight.allowHeaders.join(', ')} in the preflight`;
  if (readBody === 'none') yield 'does not read the body';
  if (commit) yield 'does the work';
  if (gate) yield 'waits for its gate';
  if (delay) yield `waits ${duration(delay)}`;
}

function answer(step) {
  const { redirect, status = 200, headers, cors, contentLength, gzip } = step;
  const extras = [...headerWords(headers)];
  const content = body(step);
  if (content) extras.push(content);
  if (contentLength !== undefined) extras.push(`an announced length of ${bytes(contentLength)}`);
  const what = redirect ? `redirects with ${redirect.status ?? 302} to ${redirect.to}` : `answers ${status}`;
  return [
    what,
    extras.length > 0 && `with ${extras.join(' and ')}`,
    gzip && '(compressed)',
    cors === false && 'without CORS headers',
  ].filter(Boolean).join(' ');
}

function headerWords(headers = {}) {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  return pairs.map(([name, value]) => `${name}: ${typeof value === 'object' ? `the date in ${duration(value.dateIn)}` : value}`);
}

function body(step) {
  const { json, body: text, bodyBase64, echo, bytes: count, chunks, drip, split } = step;
  const pieces = split ? ` in pieces of ${split.sizes.join(', ')} bytes` : '';
  if (json !== undefined) return short(JSON.stringify(json)) + pieces;
  if (text !== undefined) return (text === '' ? 'an empty body' : short(JSON.stringify(text))) + pieces;
  if (bodyBase64 !== undefined) return `${plural(atob(bodyBase64).length, 'byte')} of its own`;
  if (echo) return 'what it was sent';
  if (count !== undefined) return `${bytes(typeof count === 'object' ? count.end - count.start : count)} of body${pieces}`;
  if (chunks) return pieced(chunks);
  if (drip) return `${drip.bytes ? plural(drip.bytes, 'byte') : short(JSON.stringify(drip.text))} every ${duration(drip.every)}${drip.count ? `, ${drip.count} times` : ', for ever'}`;
  return '';
}

function pieced(chunks) {
  const filled = chunks.filter(({ text, bytes: count, base64 }) => text || base64 || count > 0);
  const texts = filled.map(({ text }) => text ?? '…').join('');
  return `${short(texts)}${filled.length > 1 ? ` in ${filled.length} pieces` : ''}`;
}

function short(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
