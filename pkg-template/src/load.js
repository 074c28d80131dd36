// The engine: loaded once, reborn after a trap, and waited for.

import { DEADLINE_EXCEEDED, ENGINE_DEAD, LOAD_FAILED } from './generated.js';
import { fetchBarely } from './bare.js';
import { watchPolicy } from './csp.js';
import { fail } from './ending.js';
import { LONGEST, deaths, instantiate, isAlive, liveCalls, now, run } from './engine.js';
import { Refusal, errorWithoutCall, is } from './errors.js';
import { totalTimeout } from './options.js';

const MINUTE = 60_000;
/** How often a minute a dead instance is replaced. */
const REBIRTHS = 3;
const CSP = /unsafe-eval|\bCSP\b|Content.Security.Policy/i;

/** Set by the entry: what gives the bytes, and what gives a second copy of them. */
let sources;
/** @type {WebAssembly.Module | undefined} */
let module;
/** @type {Promise<void> | undefined} */
let loading;
let isWatching = false;
/** Whether the page is being left. */
let isHidden = false;
/** Calls that wait for the module, or go without. */
const waiting = new Set();

export function setSources(...given) {
  sources = given;
}

/** Every call that has not ended. */
export const openCalls = () => [...waiting, ...liveCalls()];

/** Starts a call, as soon as there is an engine. */
export function begin(call) {
  if (!isWatching) watchPage();
  if (!module) return wait(call);
  try {
    if (isAlive() || deaths.filter((at) => at > now() - MINUTE).length <= REBIRTHS) {
      if (!isAlive()) {
        instantiate(module);
        run('hidden', isHidden);
      }
      return call.start_();
    }
  } catch (error) {
    deaths.push(now());
    call.why_ = { original_: error };
  }
  fail(call, ENGINE_DEAD, 'load');
}

/** Once a realm, whatever becomes of the engine. */
function watchPage() {
  isWatching = true;
  watchPolicy();
  for (const type of ['pagehide', 'pageshow']) {
    globalThis.addEventListener?.(type, () => {
      isHidden = type === 'pagehide';
      run('hidden', isHidden);
      waiting.forEach(leave);
    });
  }
}

const isWaiting = (call) => call.via_ === 'network';

/** A page that is being left keeps nothing waiting but what outlives it. */
function leave(call) {
  if (isHidden && !call.isKeepalive_ && isWaiting(call)) call.cancel_(new DOMException('the page is being left', 'AbortError'));
}

/** Until there is an engine the deadline and the signal are guarded here. */
function wait(call) {
  call.started_ = performance.now();
  const left = totalTimeout(call.config_);
  waiting.add(call);
  call.timer_ = setTimeout(() => {
    if (left > LONGEST) return;
    // Whoever comes next does not wait for this load.
    loading = undefined;
    fail(call, DEADLINE_EXCEEDED, 'load');
  }, Math.min(left, LONGEST));
  leave(call);
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
  for (const call of [...waiting].filter(isWaiting)) {
    stopWaiting(call);
    act(call);
  }
}

function giveUp(call, refusal) {
  if (call.config_.onLoadFailure === 'bare-fetch') {
    waiting.add(call);
    return fetchBarely(call);
  }
  call.why_ = refusal;
  fail(call, LOAD_FAILED, 'load');
}

async function compile(given) {
  const [file, copy] = sources;
  let details = '';
  try {
    if (given !== undefined) {
      details = 'init has no fallback';
      return await toModule(given);
    }
    try {
      return await toModule(file());
    } catch (error) {
      // There `import()` is refused.
      if ('ServiceWorkerGlobalScope' in globalThis) details = 'service workers have no fallback: import steadfetch/inline';
      if (!copy || details) throw error;
      return await toModule(copy()).catch(() => {
        throw error;
      });
    }
  } catch (error) {
    const isForbidden = CSP.test(error?.message);
    if (isForbidden) details = "script-src has to allow 'wasm-unsafe-eval'";
    throw new Refusal(LOAD_FAILED, details, isForbidden ? 'csp' : undefined, error);
  }
}

async function toModule(given) {
  let source = await given;
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || is(source, 'URL')) source = await fetch(source);
  if (is(source, 'Response')) {
    if (!source.ok) throw new Error(`status ${source.status}`);
    // Whole, not streamed: servers give it any type. An index.html in its place is told by its first four bytes.
    source = await source.arrayBuffer();
  }
  return WebAssembly.compile(source);
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
  } catch (refusal) {
    throw errorWithoutCall(refusal, 'load');
  }
}

/** Loads the engine now instead of with the first call. */
export const ready = () => init();
