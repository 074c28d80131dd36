// The engine: loaded once, reborn after a trap, and waited for.

import { DEADLINE_EXCEEDED, ENGINE_DEAD, LOAD_FAILED, OUTCOMES, OUTCOME_NOT_SENT, PHASES, PHASE_LOAD } from './generated.js';
import { fetchBarely } from './bare.js';
import { watchPolicy } from './csp.js';
import { fail, note } from './ending.js';
import { Engine, LONGEST } from './engine.js';
import { Refusal, foreign, is, makeError } from './errors.js';
import { totalTimeout } from './options.js';

const MINUTE = 60_000;
/** How often a minute a dead engine is replaced. */
const REBIRTHS = 3;
const CSP = /unsafe-eval|\bCSP\b|Content.Security.Policy/i;

/** Set by the entry: what gives the bytes, and what gives a second copy of them. */
let sources;
/** @type {WebAssembly.Module | undefined} */
let module;
/** @type {Engine | undefined} */
let engine;
/** @type {Promise<void> | undefined} */
let loading;
let isWatching = false;
/** When engines have died. */
let deaths = [];
/** Calls that wait for the module. */
const waiting = new Set();

export function setSources(...given) {
  sources = given;
}

/** Every call that has not ended. */
export const liveCalls = () => [...waiting, ...(engine ? engine.calls_.values() : [])];

/** Starts a call, as soon as there is an engine. */
export function begin(call) {
  if (!module) return wait(call);
  let original;
  try {
    const current = currentEngine();
    if (current) return call.start_(current);
  } catch (error) {
    original = error;
    deaths.push(performance.now());
  }
  call.original_ = original;
  fail(call, ENGINE_DEAD, PHASE_LOAD);
}

function currentEngine() {
  if (engine) return engine;
  deaths = deaths.filter((at) => at > performance.now() - MINUTE);
  if (deaths.length > REBIRTHS) return undefined;
  engine = new Engine(module, () => {
    engine = undefined;
    deaths.push(performance.now());
  });
  if (!isWatching) watchPage();
  return engine;
}

/** Once a realm, whatever becomes of the engine. */
function watchPage() {
  isWatching = true;
  watchPolicy();
  const tell = ({ type }) => engine?.run_(engine.wasm_.hidden, type === 'pagehide');
  globalThis.addEventListener?.('pagehide', tell);
  globalThis.addEventListener?.('pageshow', tell);
}

/** Until there is an engine the deadline and the signal are guarded here. */
function wait(call) {
  const left = totalTimeout(call.config_) - call.elapsed_();
  waiting.add(call);
  if (left < LONGEST) {
    call.timer_ = setTimeout(() => {
      // Whoever comes next does not wait for this load.
      loading = undefined;
      fail(call, DEADLINE_EXCEEDED, PHASE_LOAD);
    }, left);
  }
  load().catch(() => {});
}

export function stopWaiting(call) {
  clearTimeout(call.timer_);
  waiting.delete(call);
}

/** Loads the module, unless that is done or under way. */
function load(given) {
  if (module) return Promise.resolve();
  if (loading) return loading;
  const current = compile(given).then(
    (compiled) => {
      module ??= compiled;
      release(begin);
    },
    (refusal) => {
      if (loading === current) loading = undefined;
      if (!loading) release((call) => giveUp(call, refusal));
      throw refusal;
    },
  );
  return (loading = current);
}

function release(act) {
  for (const call of [...waiting]) {
    stopWaiting(call);
    act(call);
  }
}

function giveUp(call, refusal) {
  if (call.config_.onLoadFailure === 'bare-fetch') return fetchBarely(call);
  note(call, refusal);
  fail(call, LOAD_FAILED, PHASE_LOAD);
}

async function compile(given) {
  const [file, copy] = sources;
  // There `import()` is refused.
  const isServiceWorker = typeof ServiceWorkerGlobalScope !== 'undefined';
  let details = 'neither the file nor its inline copy';
  try {
    if (given !== undefined) {
      details = 'there is no fallback for what init was given';
      return await toModule(given);
    }
    try {
      return await toModule(file());
    } catch (error) {
      if (!copy || isServiceWorker) {
        details = isServiceWorker ? 'a service worker has no fallback: import steadfetch/inline' : '';
        throw error;
      }
      try {
        return await toModule(copy());
      } catch {
        throw error;
      }
    }
  } catch (error) {
    throw new Refusal(LOAD_FAILED, details, CSP.test(error?.message) ? 'csp' : undefined, error);
  }
}

async function toModule(given) {
  let source = await given;
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || is(source, 'URL')) source = await fetch(source);
  if (is(source, 'Response')) {
    if (!source.ok) throw new Error(`status ${source.status}`);
    source = await source.arrayBuffer();
  }
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  // Development servers answer index.html to what they do not know.
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== '\0asm') throw new Error('not a WebAssembly module');
  return WebAssembly.compile(bytes);
}

/** The bytes of the inline copy. */
export const decode = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * Loads the engine from a place of the caller's.
 * @param {unknown} [source]
 */
export async function init(source) {
  try {
    await load(source);
  } catch ({ details_: details, hint_: hint, original_: original }) {
    const fields = { phase: PHASES[PHASE_LOAD], outcome: OUTCOMES[OUTCOME_NOT_SENT], attempts: [], elapsedMs: 0, hint };
    throw makeError(LOAD_FAILED, details && ` (${details})`, fields, foreign(original));
  }
}

/** Loads the engine now instead of with the first call. */
export const ready = () => init();
