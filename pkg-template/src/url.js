// URLs: resolved, checked before anything is sent, and shown without their secrets.

import { INVALID_REQUEST } from './generated.js';
import { Refusal } from './errors.js';
import { pageUrl } from './options.js';

/** An absolute URL that needs no closer look: http or https, nobody's name or password in it. */
const PLAIN = /^https?:\/\/[^/?#@\\\s]+([/?#]|$)/i;
const SCHEMES = /^(https?|data|blob|[\w-]+-extension):$/;

/**
 * @param {string | URL} input
 * @param {object} config
 * @returns {string}
 */
export function resolve(input, config) {
  const text = `${input}`;
  const plain = PLAIN.test(text);
  if (plain && config.searchParams === undefined) return text;
  const url = parse(text, config.baseUrl ?? pageUrl());
  if (!plain) check(url, config);
  for (const [name, value] of pairs(config.searchParams)) url.searchParams.append(name, value);
  return url.href;
}

function parse(text, base) {
  try {
    return new URL(text, base);
  } catch (error) {
    // Neither here nor anywhere else in a message: the text may hold secrets.
    throw new Refusal(INVALID_REQUEST, base ? 'invalid URL' : 'invalid URL, or a relative one without baseUrl', undefined, error);
  }
}

/** A custom fetch may know more schemes than the platform. */
export function check(url, config) {
  if (url.username || url.password) throw new Refusal(INVALID_REQUEST, 'the URL contains credentials');
  const { protocol } = url;
  if (!config.fetch && !SCHEMES.test(protocol) && protocol !== globalThis.location?.protocol) {
    throw new Refusal(INVALID_REQUEST, `the URL has the scheme ${protocol.slice(0, 20)}`);
  }
}

/** What `searchParams` and `form` take. */
export function pairs(value) {
  if (typeof value !== 'object' || Symbol.iterator in value) return new URLSearchParams(value);
  return Object.entries(value).filter(([, one]) => one !== undefined);
}

/** Origin and path: no query, no fragment, and no more than the scheme of a URL that is all content. */
export function shownUrl(href) {
  try {
    const { protocol, origin, pathname } = new URL(href);
    const text = origin === 'null' ? protocol : origin + pathname;
    return text.length > 200 ? `${text.slice(0, 200)}...` : text;
  } catch {
    return '';
  }
}
