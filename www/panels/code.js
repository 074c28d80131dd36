// The TypeScript of a call: what `run/perform.js` does, in words.

import { print, Source, unparse } from '../literal.js';
import { callOptions, member, reader } from '../run/perform.js';

/** What the value of a reader is called. */
const VALUES = { json: 'value', text: 'text', bytes: 'bytes' };

/**
 * @param {object} call as scenarios describe it
 * @param {string} url
 * @param {number} count of calls in parallel
 */
export function code(call, url, count = 1) {
  const lines = ["import { createClient } from 'steadfetch';", ''];
  lines.push(`const api = createClient(${print(client(call))});`);
  lines.push('const controller = new AbortController();', ...abort(call.abort), '');
  if (call.formData !== undefined) lines.push(...formData(call.formData), '');
  if (call.argument === 'request') lines.push(...request(call, url), '');
  lines.push(...(count > 1 ? many(call, url, count) : one(call, url)));
  return `${lines.join('\n')}\n`;
}

/** How wide an expression may be in a narrow place. */
const NARROW = 50;

/** The call alone, as one expression. */
export function expression(call, url) {
  const name = member(call);
  const read = reader(call);
  const target = call.argument === 'request' ? `new Request(${print(url)}, ${print(requestInit(call))})` : print(url);
  const all = options(call, {});
  delete all.signal;
  const begin = `api.${name}(${target}`;
  const made = `${begin}${Object.keys(all).length > 0 ? `, ${behind(begin, all)}` : ''})`;
  if (read === undefined) return made;
  return name === 'fetch' ? `(await ${made}).${read}()` : `${made}.${read}()`;
}

/** Options on the line that they stand on, else each on its own. */
function behind(begin, all) {
  const line = unparse(all);
  return begin.length + line.length <= NARROW ? line : print(all, '', Math.min(NARROW, line.length - 1));
}

function client({ client: options = {}, hook }) {
  const all = { ...options };
  if (hook !== undefined) {
    all.hooks = { beforeRequest: [new Source(`() => new Promise((resolve) => { setTimeout(resolve, ${hook}); })`)] };
  }
  return { ...all, onEvent: new Source('(event) => draw(event)') };
}

function options(call, extra) {
  const all = { ...callOptions(call), ...extra, signal: new Source('controller.signal') };
  if (call.bodyBytes !== undefined) all.body = new Source(`new Uint8Array(${call.bodyBytes})`);
  if (call.formData !== undefined) all.body = new Source('form');
  return all;
}

function one(call, url) {
  const name = member(call);
  const read = reader(call);
  const target = call.argument === 'request' ? 'request' : print(url);
  const made = `await api.${name}(${target}, ${print(options(call))})`;
  if (read === undefined) return [`const response = ${made};`];
  if (name === 'fetch') return [`const response = ${made};`, `const ${VALUES[read]} = await response.${read}();`];
  return [`const ${VALUES[read]} = ${made}.${read}();`];
}

function many(call, url, count) {
  const name = member(call);
  const read = reader(call);
  const target = `\`${url}${url.includes('?') ? '&' : '?'}key=\${n}\``;
  const made = `api.${name}(${target}, ${print(options(call, { operation: new Source('`call ${n}`') }), '  ')})`;
  const then = name === 'fetch' ? `.then((response) => response.${read}())` : `.${read}()`;
  return [
    `const numbers = Array.from({ length: ${count} }, (_, index) => index + 1);`,
    'const settled = await Promise.allSettled(numbers.map((n) => (',
    `  ${made}${read === undefined ? '' : then}`,
    ')));',
  ];
}

function abort(described) {
  if (described === undefined) return [];
  const reason = described.reason === undefined ? '' : print(described.reason);
  if (described.after === 0) return [`controller.abort(${reason});`];
  return [`setTimeout(() => controller.abort(${reason}), ${described.after});`];
}

function formData(fields) {
  return ['const form = new FormData();', ...Object.entries(fields).map(([name, value]) => `form.append(${print(name)}, ${print(value)});`)];
}

function request(call, url) {
  return [`const request = new Request(${print(url)}, ${print(requestInit(call))});`];
}

function requestInit({ method, options: { body, headers } }) {
  return { method, ...(body !== undefined && { body }), ...(headers !== undefined && { headers }) };
}
