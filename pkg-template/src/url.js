// URLs: resolved, checked before anything is sent, and shown without their secrets.

import { INVALID_REQUEST } from './generated.js';
import { Refusal } from './errors.js';
import { report } from './observers.js';
import { pageUrl } from './options.js';

/** An absolute URL that needs no closer look: http or https, nobody's name or password in it. */
const PLAIN = /^https?:\/\/[^/?#@\\\s]+([/?#]|$)/i;
const SCHEMES = /^(https?|data|blob|[\w-]+-extension):$/;

export const invalid = (details, original) => new Refusal(INVALID_REQUEST, details, undefined, original);

export function parse(text, base) {
  try {
    return new URL(text, base);
  } catch (error) {
    // Neither here nor anywhere else in a message: the text may hold secrets.
    throw invalid('no valid URL, or a relative one without baseUrl', error);
  }
}

/** The absolute form of a URL, with the search parameters of the options. */
export function resolve(input, config) {
  const text = `${input}`;
  const isPlain = PLAIN.test(text);
  if (isPlain && config.searchParams === undefined) return text;
  const url = parse(text, config.baseUrl ?? pageUrl());
  if (!isPlain) check(url, config);
  for (const [name, value] of pairs(config.searchParams)) url.searchParams.append(name, value);
  return url.href;
}

/** A custom fetch may know more schemes than the platform. */
export function check({ username, password, protocol }, config) {
  if (username || password) throw invalid('credentials in the URL');
  if (!config.fetch && !SCHEMES.test(protocol) && protocol !== globalThis.location?.protocol) {
    throw invalid(`the URL has the scheme ${protocol.slice(0, 20)}`);
  }
}

/** What `searchParams` and `form` take. */
export function pairs(value) {
  const isList = Array.isArray(value);
  if (typeof value !== 'object' || (!isList && Symbol.iterator in value)) return new URLSearchParams(value);
  return (isList ? value : Object.entries(value)).filter(([, one]) => one !== undefined);
}

/**
 * Origin and path: no query, no fragment, and no more than the scheme of a URL that is all content. `redactUrl` makes less
 * of it; if it fails, the origin has to do.
 */
export function shownUrl(href, { redactUrl: redact }) {
  let shown = '';
  try {
    const { protocol, origin, pathname } = new URL(href);
    // That of a `blob:` URL is the one of who has made it.
    const isOpaque = !origin.startsWith(protocol);
    shown = isOpaque ? protocol : origin;
    const whole = isOpaque ? shown : origin + pathname;
    const text = redact ? redact(whole) : whole;
    if (typeof text !== 'string') throw new TypeError('redactUrl gave no string');
    shown = text;
  } catch (error) {
    // Else it is no URL.
    if (shown) report(error);
  }
  return shown.slice(0, 200);
}
