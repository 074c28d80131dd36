// Checks options against the generated table, and merges them.

import type { AuthOptions } from '../auth.js';
import type { CallState } from './call-state.js';
import type { Config, HeaderLayer } from './config.js';

import { Refusal, cut, is, safely } from './errors.js';
import { DEFAULTS, KIND_GROUP, KIND_RETRY, OPTIONS, SCOPE_CALL, SCOPE_CLIENT } from './generated.js';
import { copyOf, isHeader, isKey } from './headers.js';
import { refusal, shown, unreadable } from './invalid-option.js';
import { nearest } from './names.js';
import { FULL, LOOKUP_OF_CALL, PARTS, SHARING, WRITES_OF_CLIENT } from './features.js';
import {
  IDLE_TIMEOUT_SLOT,
  JITTER_CUSTOM,
  JITTER_FULL,
  JITTER_NONE,
  MAX_RESPONSE_BYTES_SLOT,
  TIMEOUT_SLOT,
  TOTAL_TIMEOUT_SLOT,
} from './protocol.js';
import { isAbsolute, pageUrl, toQuery } from './url.js';

/** Kind, scope, and its place among the numbers of a call, if it has one. */
type Row = readonly [kind: number, scope: number, slot?: number];

/** Turns a value into what it becomes, undefined if it is no good; and what is good, in words. */
type Check = readonly [check: (value: any) => unknown, good: string];

/** The config that is being made. */
type Draft = { -readonly [key in keyof Config]: Config[key] };
/** The same by the names that are options. */
type Values = Record<string, unknown>;

const TABLE = new Map(Object.entries(OPTIONS as unknown as Readonly<Record<string, Row>>));

/** The members of an init; those after `priority` belong to single runtimes. The first four are for one call only. */
const REQUEST_INIT =
  'method body signal window mode credentials cache redirect referrer referrerPolicy integrity keepalive duplex priority next cf dispatcher agent client unix tls proxy verbose decompress targetAddressSpace browsingTopics adAuctionHeaders sharedStorageWritable attributionReporting'.split(
    ' ',
  );
const OF_ONE_CALL = 4;

const isFunction = (value: unknown): value is (...given: never[]) => unknown => typeof value === 'function';
const listOf = (value: unknown, isGood: (one: any) => unknown): value is any[] => Array.isArray(value) && value.every(isGood);
const isWhole = (value: any): boolean => Number.isInteger(value) && value >= 0 && value < 2 ** 32;

// What a value of each kind becomes, undefined if it is no good, and what is good. A string says both: the types that
// are good, and the least number.
const KINDS: readonly (string | Check | undefined)[] = [
  'number from 1, false',
  'number from 0',
  [(value) => (isWhole(value) ? value : undefined), 'a whole number, or use totalTimeout'],
  'number from 1, false',
  'boolean',
  [(value) => (listOf(value, (one) => isWhole(one) && one > 99 && one < 600) ? [...new Set(value)] : undefined), 'statuses'],
  [
    (value) => (listOf(value, (one) => one && typeof one === 'string') ? value.map((one) => one.toUpperCase()) : undefined),
    'methods',
  ],
  'number from 0, function',
  [
    (value) =>
      isFunction(value) ? JITTER_CUSTOM : value === true || value === 'full' ? JITTER_FULL : value === false || value === 'none' ? JITTER_NONE : undefined,
    "boolean, 'full', 'none', function",
  ],
  'function',
  'string',
  ,
  ,
  ,
  [(value) => (isWhole(value) && value ? value : undefined), 'a whole number from 1'],
  [(value) => (typeof value === 'number' && value >= 0 && value < Infinity ? value : undefined), 'a number from 0'],
  [(value) => (typeof value === 'number' && value > 0 && value <= 1 ? value : undefined), 'a number above 0, at most 1'],
];

const oneOf = (...values: string[]): Check => [(value) => (values.includes(value) ? value : undefined), `'${values.join("', '")}'`];

// The options with a rule of their own.
const SPECIAL: Readonly<Record<string, string | Check | null>> = {
  __proto__: null,
  idempotent: 'boolean',
  dedupe: 'boolean, function',
  idempotencyKey: [(value) => (isFunction(value) || isKey(value) ? value : undefined), "'auto', what a header can hold, function"],
  baseUrl: [baseUrl, 'an http:// or https:// URL without credentials, or a relative one'],
  headers: 'object, function',
  searchParams: 'object, string',
  form: 'object',
  throwHttpErrors: 'boolean, function',
  deadlineHeader: [deadlineHeader, "a header's name, { name, crossOrigin }"],
  fallback: 'function',
  'auth.header': [(value) => (isHeader(value, 'x') ? value : undefined), "a header's name"],
  'auth.scheme': [(value) => (isHeader('x', value) ? value : undefined), 'what a header can hold'],
  'auth.origins': [origins, 'absolute URLs'],
  'auth.lock': oneOf('tab', 'origin'),
  // The platform keeps other names for itself.
  'auth.lockName': [(value) => (/^([^-]|$)/.test(typeof value === 'string' ? value : '-') ? value : undefined), "string, not beginning with '-'"],
};

/** Applies a rule in words to a value. */
function byWords(rule: string, value: unknown): unknown {
  if (typeof value === 'number') return value >= (/from (\d)|$/.exec(rule)![1] as unknown as number) ? Math.ceil(value) : undefined;
  if (value === false && rule.endsWith('false')) return Infinity;
  return value !== null && rule.includes(typeof value) ? value : undefined;
}

/** The options that parts.js has a part in, and those whose functions it calls. */
const OF_PARTS = /^(deadline|timings)/;
const CALLED_BY_PARTS = /^(headers|retry|onDown)/;

const HOOKS = ['beforeRequest', 'beforeRetry', 'afterResponse', 'beforeError'];

/** `localhost:8080/v1` is to the platform a URL of the scheme `localhost:`, and `127.0.0.1:8080` a path. */
const HOST_AND_PORT = /^[\w.-]+:\d/;

function baseUrl(value: string | URL | null): string | undefined {
  const text = (value as URL | null)?.href ?? value;
  if (typeof text !== 'string' || HOST_AND_PORT.test(text)) return undefined;
  try {
    // Modules of a page run on servers too: there it is the calls that cannot be made.
    if (!isAbsolute(text) && !pageUrl()) return text;
    const url = new URL(text, pageUrl());
    if (url.username || url.password) return undefined;
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url.href;
  } catch {
    return undefined;
  }
}

function deadlineHeader(value: string | Record<string, unknown>): Record<string, unknown> | undefined {
  const { name, crossOrigin = false, ...rest } = typeof value === 'string' ? ({ name: value } as Record<string, unknown>) : { ...value };
  const isGood = isHeader(name, '0') && typeof crossOrigin === 'boolean' && !Object.keys(rest).length;
  return isGood ? { name, crossOrigin } : undefined;
}

function origins(value: string[]): string[] | undefined {
  try {
    const given = value.map((one) => new URL(one).origin);
    return given.length && !given.includes('null') ? given : undefined;
  } catch {
    return undefined;
  }
}

/** How many things there are that calls share: each gets the next number. */
let shared = 0;
export const nextShared = (): number => ++shared;

/** The options of a client with nothing given. NaN: what has its default in the end. All have their place, whatever a page has put on `Object.prototype`. */
export const NOTHING = {
  ...Object.fromEntries([...TABLE.keys()].map((key) => [key])),
  slots_: new Float64Array(DEFAULTS.length).fill(NaN),
  timeoutGiven_: 0,
  totalGiven_: 0,
  init_: {},
  headers: [],
  hooks: Object.fromEntries(HOOKS.map((hook) => [hook])),
  /** The numbers of what calls share, by the name of the option; 0: there is none. */
  shared_: { queue: 0, circuitBreaker: 0, retryBudget: 0 },
  name: '',
  operation: '',
  throwHttpErrors: true,
} as unknown as Config;

/** With the defaults of what was not given: these, or else those of everybody. */
export const withDefaults = (config: Config, defaults: Readonly<Record<number, number>>): Config => ({
  ...config,
  slots_: config.slots_.map((value, slot) => (value >= 0 ? value : (defaults[slot] ?? DEFAULTS[slot]!))),
});

export const totalTimeout = (config: Pick<Config, 'slots_'>): number => config.slots_[TOTAL_TIMEOUT_SLOT]!;

/** Whether the size of a body has a limit. */
export const isSizeLimited = (config: Config): boolean => config.slots_[MAX_RESPONSE_BYTES_SLOT]! < Infinity;

/** Whether the bytes of a body are counted. */
export const isCounted = (config: Config): unknown => isSizeLimited(config) || config.onDownloadProgress;

/** Whether no limit can pass between two chunks of a body, and no observer counts them. */
export function canReadNatively({ config_: config, isFetch_: isFetch }: CallState): boolean {
  const slots = config.slots_;
  const timeout = isFetch && !config.timeoutGiven_ ? Infinity : slots[TIMEOUT_SLOT]!;
  return slots[IDLE_TIMEOUT_SLOT]! >= timeout && !isCounted(config);
}

/**
 * Puts given options on top of others.
 * @param base what `merge` gave before
 * @param given what the caller gave
 * @param scope SCOPE_CLIENT or SCOPE_CALL
 * @param init gets what is fetch's
 * @param open whether that is all unknown keys too, as for `api.fetch`
 * @returns `base` itself if nothing of ours was given
 */
export function merge<C extends Partial<Config>>(base: C, given: unknown, scope: number, init: RequestInit, open?: boolean): C {
  let config = base;
  try {
    for (const key of keysOf(given, open)) {
      const value = (given as Given)[(reading = key)];
      if (value === undefined || putInit(init as Given, key, value, scope, open)) continue;
      if (config === base) config = { ...base, slots_: base.slots_!.slice() };
      put(config as unknown as Draft, key, value, scope, open);
    }
  } catch (error) {
    throw asRefusal(error);
  }
  return config;
}

/** The option that is being read. */
let reading: string;

type Given = Record<string, unknown>;

/** Of what was thrown while options were read. */
export const asRefusal = (error: unknown): Refusal => unreadable(error, reading);

/** A copy of what an object has of its own. */
export function ownOf(given: object): Given {
  const own: Given = { __proto__: null };
  for (const key of Object.keys(given)) own[key] = (given as Given)[(reading = key)];
  return own;
}

/** Whether an object has a member, of its own or of its class. */
const has = (given: Given, name: string): boolean => name in given && !(name in Object.prototype && given[name] === (Object.prototype as unknown as Given)[name]);

const isObject = (value: unknown): value is Given => typeof value === 'object' && value !== null && !(Symbol.iterator in value);

/** Own keys; of an object with a prototype of its own also what is known by name, found through the prototype chain. */
function keysOf(given: unknown, open: boolean | undefined): Iterable<string> {
  reading = 'options';
  // fetch takes null for an init.
  if (given === undefined || (open && given === null)) return [];
  if (!isObject(given)) throw refusal(`options: object, not ${shown(given)}`);
  const keys = Object.keys(given);
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype === Object.prototype || prototype === null) return keys;
  // A Request is an init too, whose `json` is a method.
  const names = is(given, 'Request') ? ['headers'] : TABLE.keys();
  return new Set([...keys, ...[...names, ...REQUEST_INIT].filter((name) => has(given, name))]);
}

/** Whether it is no option of ours. */
function putInit(init: Given, key: string, value: unknown, scope: number, open: boolean | undefined): boolean {
  if (key === 'init') {
    if (!isObject(value)) throw refusal(`init: object, not ${shown(value)}`);
    for (const name of Object.keys(value)) {
      if (TABLE.has(name)) throw refusal(`init.${name} is an option of its own: give it beside init`);
      if (value[name] !== undefined) putInit(init, name, value[name], scope, true);
    }
    return true;
  }
  if (TABLE.has(key) && !key.includes('.')) return false;
  const place = REQUEST_INIT.indexOf(key);
  if (place < 0 && !open) throw unknown(key);
  if (scope === SCOPE_CLIENT && place >= 0 && place < OF_ONE_CALL) throw refusal(`${key} belongs to a call`);
  init[key] = value;
  return true;
}

function put(config: Draft, key: string, value: unknown, scope: number, open: boolean | undefined): void {
  const row = TABLE.get(key)!;
  if (key === 'fallback' && open) throw refusal('fallback is for shortcuts');
  if (row[1] && row[1] !== scope && !(key === 'auth' && value === false)) {
    throw refusal(`${key} belongs ${scope === SCOPE_CALL ? 'to createClient and extend' : 'to a call'}`);
  }
  if (key === 'hooks') putHooks(config, value);
  else if (row[0] === KIND_RETRY || row[0] === KIND_GROUP) putGroup(config, key, value, scope);
  else putChecked(config, key, row, value, scope);
}

function putChecked(config: Draft, key: string, [kind, , slot]: Row, value: unknown, scope: number): void {
  const rule = SPECIAL[key] ?? KINDS[kind];
  const isWords = typeof rule === 'string';
  // `json` takes what JSON.stringify takes.
  let good: any = !rule ? value : isWords ? byWords(rule, value) : rule[0](value);
  if (good === undefined) throw refusal(`${key}: ${isWords ? rule : rule![1]}, not ${shown(value)}`);
  if (value && (isFunction(value) ? CALLED_BY_PARTS : OF_PARTS).test(key)) config.features_! |= PARTS;
  if (key === 'dedupe' && value) config.features_! |= FULL | SHARING;
  if (key === 'idempotencyKey') config.features_! |= WRITES_OF_CLIENT * scope;
  const isLasting = scope === SCOPE_CLIENT;
  // A layer that cannot be copied is refused when it is to be sent.
  if (key === 'headers') good = [...config.headers, (isLasting && safely(() => copyOf(good as HeaderLayer))) || good];
  if (key === 'searchParams' && isLasting) good = `${toQuery(key, value)}`;
  if (slot === undefined) {
    (config as Values)[key] = good;
    return;
  }
  // The engine has numbers, the caller what was given.
  (config as Values)[key] = value;
  config.slots_[slot] = isFunction(good) ? NaN : +good;
  if (slot === TIMEOUT_SLOT) config.timeoutGiven_ = scope;
  if (slot === TOTAL_TIMEOUT_SLOT) config.totalGiven_ = scope;
}

function putGroup(config: Draft, group: string, value: unknown, scope: number): void {
  const isRetry = group === 'retry';
  let given = value;
  if (value === false) given = isRetry ? { limit: 0 } : {};
  if (isRetry && typeof value === 'number') given = { limit: value };
  if (!isObject(given)) throw refusal(`${group}: object, ${isRetry ? 'number, ' : ''}false, not ${shown(value)}`);
  if (!isRetry) share(config, group, value, scope);
  // An object of a class may have members of its own.
  const isOwn = group === 'auth' && ![Object.prototype, null].includes(Object.getPrototypeOf(given));
  for (const key of isOwn ? membersOf(group).filter((name) => has(given, name)) : Object.keys(given)) {
    const name = `${group}.${key}`;
    const row = TABLE.get(name);
    if (!row) throw unknown(name);
    reading = name;
    const member = given[key];
    if (member !== undefined) putChecked(config, name, row, member, scope);
  }
  const required = ({ __proto__: null, queue: 'queue.concurrency', auth: 'auth.refreshToken', outcomeLookup: 'outcomeLookup.url' } as Readonly<Record<string, string | null>>)[group];
  if (value && required && !(config as Values)[required]) throw refusal(`${required} is required`);
}

const membersOf = (group: string): string[] => [...TABLE.keys()].filter((name) => name.startsWith(`${group}.`)).map((name) => name.slice(group.length + 1));

/** A queue, circuits or budgets of its own, in place of those that there were. */
function share(config: Draft, group: string, value: unknown, scope: number): void {
  for (const member of membersOf(group)) {
    const name = `${group}.${member}`;
    const [, , slot] = TABLE.get(name)!;
    (config as Values)[name] = undefined;
    if (slot !== undefined) config.slots_[slot] = DEFAULTS[slot]!;
  }
  // Clients that are given this very object share its session.
  if (group === 'auth') {
    config.auth_ = (value as AuthOptions) || undefined;
    config.home_ = undefined;
  } else config.shared_ = { ...config.shared_, [group]: value && nextShared() };
  if (!value) return;
  if (group === 'outcomeLookup') config.features_! |= FULL | (WRITES_OF_CLIENT + LOOKUP_OF_CALL * (scope - 1));
  else if (group !== 'retryBudget') config.features_! |= FULL | PARTS;
  if (group === 'circuitBreaker') config.circuits_ = new Map();
}

function putHooks(config: Draft, value: unknown): void {
  if (!isObject(value)) throw refusal(`hooks: object, not ${shown(value)}`);
  const hooks: Record<string, unknown[] | undefined> = { ...config.hooks } as never;
  for (const key of Object.keys(value)) {
    if (!HOOKS.includes(key)) throw unknown(`hooks.${key}`, HOOKS.map((name) => `hooks.${name}`));
    const given = value[(reading = `hooks.${key}`) && key];
    if (given === undefined) hooks[key] = undefined;
    else if (!listOf(given, isFunction)) throw refusal(`hooks.${key}: a list of functions, or undefined to remove those of the client, not ${shown(given)}`);
    if (!given?.length) continue;
    hooks[key] = [...(hooks[key] ?? []), ...given];
    config.features_! |= PARTS;
  }
  config.hooks = hooks as Config['hooks'];
}

function unknown(key: string, names: readonly string[] = [...TABLE.keys(), ...REQUEST_INIT]) {
  const found = nearest(key, names);
  return refusal(`${cut(key)} is not known${found ? `; ${found}?` : ''}`);
}
