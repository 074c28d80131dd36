// Resolves URLs, checks them before anything is sent, and shows them without their secrets.

import type { Config } from './config.js';

import { Refusal, cut, safely } from './errors.js';
import { INVALID_REQUEST } from './generated.js';
import { refusal, shown, unreadable } from './invalid-option.js';
import { report } from './observers.js';

/** An absolute URL that needs no parsing: http or https, without credentials. */
const PLAIN = /^https?:\/\/[^/?#@\\\s]+([/?#]|$)/i;
/** Objects that are no URL, as a string. */
const NO_URL = /^(undefined|null|\[object .*)$/;

export const invalid = (details?: string, original?: unknown): Refusal => new Refusal(INVALID_REQUEST, details, undefined, original);

export function parse(text: string, base?: string): URL {
  try {
    return new URL(text, base);
  } catch (error) {
    // Neither here nor anywhere else in a message: the text may hold secrets.
    const isRelative = base !== undefined && !isAbsolute(base);
    throw invalid(isRelative ? 'baseUrl is relative, and there is no page: give an absolute one' : 'no valid URL, or a relative one without baseUrl', error);
  }
}

/** The page's own address, if there is a page. */
export const pageUrl = (): string | undefined => globalThis.document?.baseURI ?? globalThis.location?.href;

/** Whether a URL has a scheme. */
export const isAbsolute = (text: string): boolean => /^[\w+.-]+:/.test(text);

/**
 * The absolute form of a URL, with the search parameters of the options. Its own query stays byte for byte.
 * @param isFetch whether `undefined` is a relative URL, as it is for fetch
 */
export function resolve(input: unknown, { baseUrl, searchParams }: Config, isFetch: boolean): string {
  const text = `${input}`;
  const isPlain = PLAIN.test(text);
  if (isPlain && searchParams === undefined) return text;
  if (!isFetch && typeof input !== 'string' && NO_URL.test(text)) throw invalid(`the URL is ${shown(input)}: give a string, URL or Request`);
  const url = parse(text, baseUrl ?? pageUrl());
  if (!isPlain) check(url);
  if (searchParams !== undefined) {
    const query = `${toQuery('searchParams', searchParams)}`.replace(/^\?/, '');
    if (query) url.search += (/[^&]$/.test(url.search) ? '&' : '') + query;
  }
  return url.href;
}

/** Which schemes there are is up to the platform: shells and runtimes have their own. */
export function check({ username, password }: URL): void {
  if (username || password) throw invalid('credentials in the URL');
}

/** Encodes `searchParams` and `form`; a string is encoded already. */
export function toQuery(option: string, value: unknown): string | URLSearchParams {
  if (typeof value === 'string') return value;
  const query = new URLSearchParams();
  try {
    for (const pair of Symbol.iterator in (value as object) ? (value as Iterable<unknown>) : Object.entries(value as object)) {
      if (!Array.isArray(pair) || pair.length !== 2) throw refusal(`${option}: pairs of name and value, not ${shown(pair)}`);
      const [name, given] = pair as [string, unknown];
      for (const one of Array.isArray(given) ? given : [given]) {
        if (one === null || one === undefined) continue;
        // A date gives its ISO text, a URL its address.
        const text: unknown = typeof one === 'object' ? safely(() => (one as Date).toJSON()) : one;
        if (!/^(string|number|boolean|bigint)$/.test(typeof text)) {
          throw refusal(`${option}.${cut(name)}: string, number, boolean, Date, or a list of these, not ${shown(one)}`);
        }
        query.append(name, text as string);
      }
    }
  } catch (error) {
    throw unreadable(error, option);
  }
  return query;
}

/**
 * Origin and path: no query, no fragment, and no more than the scheme of a URL that is all content. `redactUrl` makes less
 * of it; if it fails, the origin has to do.
 */
export function shownUrl(href: string, { redactUrl: redact }: Pick<Config, 'redactUrl'>): string {
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
