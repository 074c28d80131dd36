// Options: checked against the generated table, and merged.

import {
  DEFAULT_IDLE_TIMEOUT,
  DEFAULT_TIMEOUT,
  DEFAULT_TOTAL_TIMEOUT,
  INVALID_OPTION,
  KIND_JITTER,
  KIND_RETRY,
  OPTIONS,
  SCOPE_BOTH,
  SCOPE_CALL,
  SCOPE_CLIENT,
  SLOTS,
} from './generated.js';
import { Refusal, cut, is } from './errors.js';

const TABLE = new Map(OPTIONS.map(([name, ...row]) => [name, row]));

/** What fetch itself takes; those after `priority` are of single runtimes. The first four belong to one call. */
const REQUEST_INIT =
  'method body signal window mode credentials cache redirect referrer referrerPolicy integrity keepalive duplex priority next cf dispatcher'.split(
    ' ',
  );
const OF_ONE_CALL = 4;

// Places among the numbers of a call.
const TIMEOUT = 0;
const IDLE_TIMEOUT = 2;
const TOTAL_TIMEOUT = 3;
const MAX_BYTES = 6;

const isFunction = (value) => typeof value === 'function';
const isObject = (value) => typeof value === 'object' && value !== null;

const span = (value, least) => (typeof value === 'number' && value >= least ? Math.ceil(value) : undefined);
const limit = (value) => (value === false ? Infinity : span(value, 1));
const list = (value, isGood) => (Array.isArray(value) && value.every(isGood) ? value : undefined);
const only = (value, isGood) => (isGood ? value : undefined);

// By kind, in the order of the generated numbers: what a value becomes (undefined: it is no good), and what is good.
const KINDS = [
  [limit, 'milliseconds, 1 or more, or false'],
  [(value) => span(value, 0), 'milliseconds, 0 or more'],
  [
    (value) => only(value, Number.isInteger(value) && value >= 0 && value < 2 ** 32),
    'a whole number, 0 or more; to retry until the time is over use totalTimeout',
  ],
  [limit, 'bytes, 1 or more, or false'],
  [(value) => only(+value, typeof value === 'boolean'), 'true or false'],
  [
    (value) => list(value, (status) => Number.isInteger(status) && status >= 100 && status < 600) && [...new Set(value)],
    'a list of statuses, 100 to 599',
  ],
  [
    (value) => list(value, (name) => typeof name === 'string')?.map((name) => name.toUpperCase()),
    'a list of method names',
  ],
  [(value) => (isFunction(value) ? value : span(value, 0)), 'milliseconds, 0 or more, or a function'],
  [
    (value) =>
      isFunction(value)
        ? value
        : value === true || value === 'full'
          ? 1
          : value === false || value === 'none'
            ? 0
            : undefined,
    "a boolean, 'full', 'none' or a function",
  ],
  [(value) => only(value, isFunction(value)), 'a function'],
  [(value) => only(value, typeof value === 'string'), 'a string'],
];

const structured = [(value) => only(value, isObject(value)), 'an object, pairs or URLSearchParams'];

// The options with a check of their own.
const SPECIAL = {
  idempotent: [(value) => only(value, typeof value === 'boolean'), 'true or false'],
  baseUrl: [baseUrl, 'an absolute URL (in a page also a relative one)'],
  headers: [(value) => only(value, isObject(value) || isFunction(value)), 'headers or a function'],
  searchParams: [(value) => only(value, isObject(value) || typeof value === 'string'), 'a string, an object or pairs'],
  form: structured,
  throwHttpErrors: [(value) => only(value, typeof value === 'boolean' || isFunction(value)), 'a boolean or a function'],
  onLoadFailure: [(value) => only(value, value === 'reject' || value === 'bare-fetch'), "'reject' or 'bare-fetch'"],
};

const HOOKS = ['beforeRequest', 'beforeRetry', 'afterResponse', 'beforeError'];

/** The page's own address, if there is a page. */
export const pageUrl = () => globalThis.document?.baseURI ?? globalThis.location?.href;

function baseUrl(value) {
  try {
    const url = new URL(value, pageUrl());
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url.href;
  } catch {
    return undefined;
  }
}

/** The options of a client with nothing given. */
export const NOTHING = {
  slots_: defaultSlots(),
  timeoutGiven_: 0,
  totalGiven_: 0,
  init_: {},
  headers: [],
  hooks: {},
  name: '',
  operation: '',
  throwHttpErrors: true,
};

function defaultSlots() {
  // NaN: the engine's own default.
  const slots = new Array(SLOTS).fill(NaN);
  slots[TIMEOUT] = DEFAULT_TIMEOUT;
  slots[IDLE_TIMEOUT] = DEFAULT_IDLE_TIMEOUT;
  slots[TOTAL_TIMEOUT] = DEFAULT_TOTAL_TIMEOUT;
  return slots;
}

export const totalTimeout = ({ slots_: slots }) => slots[TOTAL_TIMEOUT];

/** Whether the size of a body has a limit. */
export const isSizeLimited = ({ slots_: slots }) => slots[MAX_BYTES] < Infinity;

/** Whether no limit can pass between two chunks of a body, and nobody counts them. */
export function canReadNatively({ config_: config, isFetch_: isFetch }) {
  const { slots_: slots, timeoutGiven_: given, onDownloadProgress } = config;
  const timeout = isFetch && !given ? Infinity : slots[TIMEOUT];
  return slots[IDLE_TIMEOUT] >= timeout && !isSizeLimited(config) && !onDownloadProgress;
}

/**
 * Puts given options on top of others.
 * @param {object} base what `merge` gave before
 * @param {object | undefined} given what the caller gave
 * @param {number} scope SCOPE_CLIENT or SCOPE_CALL
 * @param {boolean} [open] whether unknown keys are passed on to fetch, as `api.fetch` does
 * @returns {object} `base` itself if nothing of ours was given; `init_` is always a new object, for fetch
 */
export function merge(base, given, scope, open) {
  try {
    return mergeUnguarded(base, given, scope, open);
  } catch (error) {
    // Else a getter, or a proxy, of the caller threw.
    throw error instanceof Refusal ? error : refuse('reading the options threw', error);
  }
}

const refuse = (details, original) => new Refusal(INVALID_OPTION, details, undefined, original);

function mergeUnguarded(base, given, scope, open) {
  const config = { ...base, slots_: base.slots_.slice(), init_: { ...base.init_ } };
  if (given === undefined || given === null) return config;
  if (!isObject(given) && !isFunction(given)) throw refuse(`options: an object, not ${typeof given}`);
  for (const key of keysOf(given)) {
    const value = given[key];
    if (value === undefined) continue;
    const row = TABLE.get(key);
    const place = REQUEST_INIT.indexOf(key);
    if (row && !key.includes('.')) {
      if (row[1] !== SCOPE_BOTH && row[1] !== scope) {
        throw refuse(`${key} belongs ${scope === SCOPE_CALL ? 'to createClient and extend' : 'to a call'}`);
      }
      put(config, key, row, value, scope);
    } else if (place >= (scope === SCOPE_CLIENT ? OF_ONE_CALL : 0) || (open && place < 0)) {
      config.init_[key] = value;
    } else {
      throw refuse(unknown(key, REQUEST_INIT));
    }
  }
  return config;
}

/** Own keys; of an object with a prototype of its own also what is known by name, found through the prototype chain. */
function keysOf(given) {
  const keys = Object.keys(given);
  const prototype = Object.getPrototypeOf(given);
  if (prototype === Object.prototype || prototype === null) return keys;
  // A Request is an init too, whose `json` is a method.
  const known = [...(is(given, 'Request') ? ['headers'] : TABLE.keys()), ...REQUEST_INIT].filter((name) => name in given);
  return new Set([...keys, ...known]);
}

function put(config, key, [kind, , slot], value, scope) {
  if (kind === KIND_RETRY) return putRetry(config, value, scope);
  if (key === 'json') return void (config.json = value);
  if (key === 'hooks') return putHooks(config, value);
  const [check, expected] = KINDS[kind] ?? SPECIAL[key];
  const good = check(value);
  if (good === undefined) throw refuse(`${key}: ${expected}, not ${shown(value)}`);
  if (key === 'headers') {
    config.headers = [...config.headers, good];
    return;
  }
  config[key] = good;
  if (slot === undefined) return;
  config.slots_[slot] = isFunction(good) ? (kind === KIND_JITTER ? 2 : NaN) : good;
  if (slot === TIMEOUT) config.timeoutGiven_ = scope;
  if (slot === TOTAL_TIMEOUT) config.totalGiven_ = scope;
}

function putRetry(config, value, scope) {
  if (value === false) value = 0;
  if (typeof value === 'number') value = { limit: value };
  if (!isObject(value)) throw refuse(`retry: an object, a number or false, not ${shown(value)}`);
  for (const key of Object.keys(value)) {
    const name = `retry.${key}`;
    const row = TABLE.get(name);
    if (!row) throw refuse(unknown(name, []));
    const given = value[key];
    if (given !== undefined) put(config, name, row, given, scope);
  }
}

function putHooks(config, value) {
  if (!isObject(value)) throw refuse(`hooks: an object, not ${shown(value)}`);
  const hooks = { ...config.hooks };
  for (const key of Object.keys(value)) {
    if (!HOOKS.includes(key)) throw refuse(unknown(`hooks.${key}`, HOOKS.map((name) => `hooks.${name}`)));
    const given = value[key];
    if (given === undefined) continue;
    if (!list(given, isFunction)) throw refuse(`hooks.${key}: a list of functions`);
    hooks[key] = [...(hooks[key] ?? []), ...given];
  }
  config.hooks = hooks;
}

/** Numbers only: a string may be a secret that went to the wrong place. */
const shown = (value) => (typeof value === 'number' ? `${value}` : value === null ? 'null' : typeof value);

function unknown(key, more) {
  const names = [...TABLE.keys(), ...more];
  let [best, least] = ['', 4];
  for (const name of key.length < 40 ? names : []) {
    const steps = distance(key.toLowerCase(), name.toLowerCase());
    if (steps < least) [best, least] = [name, steps];
  }
  return `${cut(key)} is not known${best && `; ${best}?`}`;
}

/** Levenshtein: how many letters differ. */
function distance(one, two) {
  let row = Array.from({ length: two.length + 1 }, (_, at) => at);
  for (let i = 0; i < one.length; i++) {
    let left = i + 1;
    row = [
      left,
      ...row.slice(1).map((above, j) => (left = Math.min(above + 1, left + 1, row[j] + (one[i] === two[j] ? 0 : 1)))),
    ];
  }
  return row[two.length];
}

/** The merged options as the caller would write them: what hooks are shown. */
export function shownOptions(config) {
  const options = { ...config.init_, retry: {} };
  for (const key in config) {
    const [group, name] = key.split('.');
    if (name) options.retry[name] = config[key];
    else if (!key.endsWith('_')) options[group] = config[key];
  }
  return options;
}
