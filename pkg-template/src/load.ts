// Loads the engine and the optional chunk on demand, restarts the engine after a crash, and holds calls until loading ends.

import type { CallState } from './call-state.js';
import type { Config } from './config.js';
import type { EngineModule } from './engine.js';
import type { EVENTS, PARTS, SHARING, WRITES } from './features.js';
import type { Chunk } from './optional.js';
import type { Engine, EngineExports, FailureDetails } from './shapes.js';

import { ACTIONS } from './actions.js';
import { decode } from './bytes.js';
import { LONGEST, now } from './clock.js';
import { watchPolicy } from './csp.js';
import { fail, failWith } from './settle.js';
import { Refusal, errorWithoutCall, is, isRefusal, safely } from './errors.js';
import { DEADLINE_EXCEEDED, ENGINE, ENGINE_DEAD, LOAD_FAILED } from './generated.js';
import { fetchFile } from './global-fetch.js';
import { headerOf } from './response-head.js';
import { runtime } from './runtime.js';
import { makeEngine } from './engine.js';
import { crashes, engines, stopWaiting, undecided, waiting } from './live.js';
import { FULL, LEAN, featuresOf } from './features.js';
import { setChunk } from './optional.js';
import { pageUrl, shownUrl } from './url.js';

/** A module of nothing but its first eight bytes. */
const NOTHING_TO_RUN = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
/** An export that only the full module has. */
const FULL_EXPORT = 'auth_event';
const ENGINES = FULL | LEAN;
const MINUTE = 60_000;
/** How long `init` and `ready` wait, in milliseconds. */
const LIMIT = 30_000;
/** How many crashed engines are replaced in a minute. */
const RESTARTS = 3;
const CSP = /unsafe-eval|\bCSP\b|Content.Security.Policy/i;

/** The text that an entry holds, and its loaders. */
export interface Sources {
  /** The text of the engine that it holds, and which one that is. */
  readonly inside_?: string;
  readonly holds_?: number;
  /** Load the optional chunks, by their bits in features.ts: an entry that loads any loads all. */
  readonly chunks_?: Readonly<Record<typeof EVENTS | typeof PARTS | typeof SHARING | typeof WRITES, () => Promise<Chunk>>>;
  /** Load the text of the full engine, and the engine as JavaScript. */
  readonly full_?: () => Promise<string>;
  readonly translated_?: () => Promise<() => EngineExports>;
}


/** Set by the entry. */
let sources: Sources = {};
/** The features that the clients so far need. */
let wanted = LEAN;
/** The features that are there. */
let have = 0;
/** The loads under way, by the features that they bring. */
let loading: Record<number, Promise<void>> = {};
/** The module, or the function that makes engines of it in JavaScript. */
let module: EngineModule | undefined;
/** The engine that new calls go to. */
let current: Engine | undefined;
let isWatching = false;
/** Whether the page is being left. */
let isHidden = false;

export function setSources(given: Sources): void {
  sources = given;
}

export function want(config: Pick<Config, 'features_'>): void {
  wanted |= featuresOf(config);
}

const tellHidden = (engine: Engine): void => engine.run_('hidden', isHidden);
/** The features that a call lacks. */
const lackOf = (call: CallState): number => featuresOf(call.config_) & ~have;

const settled = Promise.resolve();

/** Waits for the reader that the caller chooses: it decides the request's Accept header. */
export function beginLater(call: CallState): void {
  call.isUndecided_ = true;
  if (undecided.push(call) === 1) settled.then(beginAll);
}

function beginAll(): void {
  undecided.splice(0).forEach(decide);
}

/** Begins the call, if it has not begun. */
export function decide(call: CallState): void {
  if (call.isUndecided_ && !call.isDone_) {
    call.isUndecided_ = false;
    begin(call);
  }
}

/** Starts a call, as soon as there is what it needs. */
export function begin(call: CallState): void {
  if (!isWatching) watchPage();
  takeAtOnce(lackOf(call));
  if (lackOf(call)) return wait(call);
  if (!restart(call)) return fail(call, ENGINE_DEAD, 'load');
  try {
    call.start_(current!);
  } catch (error) {
    failWith(call, error);
  }
}

/** Whether there is an engine that works. One that crashed is replaced, but not too often. */
function restart(call: CallState): boolean {
  try {
    if (runtime.chooseEngine_) current = runtime.chooseEngine_(engines);
    if (current?.isAlive_()) return true;
    if (crashes.filter((at) => at > now() - MINUTE).length > RESTARTS) return false;
    tellHidden((current = makeEngine(module!, ACTIONS)));
    runtime.markEngine_?.(current);
    return true;
  } catch (error) {
    crashes.push(now());
    call.failureDetails_ = { original_: error };
    return false;
  }
}

/** Once a realm, whatever becomes of the engine. */
function watchPage(): void {
  isWatching = true;
  watchPolicy();
  for (const type of ['pagehide', 'pageshow']) {
    // Before the page's own listeners, whose calls are those of a page that is being left.
    const listener = () => {
      isHidden = type === 'pagehide';
      engines.forEach(tellHidden);
      waiting.forEach(leave);
    };
    try {
      globalThis.addEventListener?.(type, listener, true);
    } catch {
      // workerd knows no capture, and no page either.
    }
  }
}

/** A page that is being left keeps nothing waiting but what outlives it. */
function leave(call: CallState): void {
  if (isHidden && !call.isKeepalive_) call.cancel_(new DOMException('the page is being left', 'AbortError'));
}

/** Until a call has what it needs the deadline and the signal are guarded here. */
function wait(call: CallState): void {
  call.started_ = performance.now();
  const left = call.timeLeft_();
  waiting.add(call);
  call.timer_ = setTimeout(() => {
    if (left > LONGEST) return;
    // The next call does not wait for these loads.
    loading = {};
    fail(call, DEADLINE_EXCEEDED, 'load');
  }, Math.min(left, LONGEST));
  leave(call);
  load(featuresOf(call.config_)).catch(() => {});
}

/** Takes the engine that the entry holds, if that is what is needed. */
function takeAtOnce(lack: number): void {
  if (!(lack & ENGINES) || lack & ENGINES & ~sources.holds_!) return;
  try {
    take(sources.holds_!, moduleOf(sources.inside_!));
  } catch {
    // The load that follows tries again, and falls back to the engine in JavaScript.
  }
}

/** Throws where WebAssembly is refused: by a policy, or by Chromium before version 114, which makes no large engine at once. */
function moduleOf(text: string): WebAssembly.Module {
  probe();
  return new WebAssembly.Module(decode(text));
}

/** WebKit compiles what its policy forbids to run. */
const probe = (): WebAssembly.Instance => new WebAssembly.Instance(new WebAssembly.Module(NOTHING_TO_RUN));

/** Loads what is needed, unless it is there or under way. */
function load(needs: number, given?: unknown): Promise<unknown> {
  wanted |= needs;
  if (given === undefined) takeAtOnce(needs & ~have);
  const missing = needs & ~have;
  // A module that is given serves all clients.
  const engine = missing & FULL || given !== undefined ? ENGINES : LEAN;
  return Promise.all([
    missing & ENGINES && bring(engine, () => compile(engine, given)),
    ...Object.entries(sources.chunks_ ?? {}).map(([bit, get]) => missing & +bit && bring(+bit, () => loaded(get))),
  ]);
}

function bring(what: number, get: () => Promise<EngineModule | Chunk>): Promise<void> {
  const promise = (loading[what] ??= get().then(
    (got) => {
      // In JavaScript there is the full one only.
      const brought = what & LEAN && typeof got === 'function' ? ENGINES : what;
      // An earlier load that was given up may come after all.
      if (brought & ~have) take(brought, got);
      review(what);
    },
    (refusal) => {
      if (loading[what] === promise) delete loading[what];
      review(what, refusal);
      throw refusal;
    },
  ));
  return promise;
}

/** Keeps what has come. */
export function take(what: number, got: EngineModule | Chunk): void {
  have |= what;
  if (what & ENGINES) {
    module = got as EngineModule;
    // It ends the calls that it has.
    current?.retire_();
    current = undefined;
  } else {
    setChunk(what, got as Chunk);
  }
}

/** Something has come, or could not be had: what that means to those who wait. */
function review(what: number, refusal?: Refusal): void {
  const coming = Object.keys(loading).reduce((all, one) => all | (one as unknown as number), 0);
  for (const call of [...waiting]) {
    const lack = lackOf(call);
    if (lack && !(lack & ~coming & what && refusal)) continue;
    stopWaiting(call);
    if (lack) giveUp(call, refusal!);
    else begin(call);
  }
}

function giveUp(call: CallState, refusal: Refusal): void {
  call.failureDetails_ = refusal;
  fail(call, LOAD_FAILED, 'load');
}

/** Makes a Refusal of whatever is thrown. */
async function loaded<T>(get: () => Promise<T>, advice?: string): Promise<T> {
  try {
    return await get();
  } catch (thrown) {
    const { details_: details, original_: error }: FailureDetails = isRefusal(thrown) ? thrown : { original_: thrown };
    const isPolicy = CSP.test(safely(() => (error as Error).message)!);
    if (isPolicy) advice = "allow 'wasm-unsafe-eval' in script-src, or import steadfetch/js";
    // There `import()` is refused.
    else if ('ServiceWorkerGlobalScope' in globalThis) advice ??= 'service workers import nothing later: import steadfetch/inline';
    throw new Refusal(LOAD_FAILED, [details, advice].filter(Boolean).join('; '), isPolicy ? 'csp' : undefined, error);
  }
}

/** The engine as a module, or as JavaScript if there is none. A source that is given has no fallback. */
const compile = (engine: number, given: unknown): Promise<EngineModule> =>
  given !== undefined
    ? loaded(() => fromGiven(given), 'init has no fallback')
    : loaded(async () => {
        try {
          return checked(moduleOf(engine & ~sources.holds_! ? await sources.full_!() : sources.inside_!), engine);
        } catch (error) {
          try {
            return await sources.translated_!();
          } catch {
            throw error;
          }
        }
      });

/** Gets the module that `init` is given, or refuses with what was found in its place. */
async function fromGiven(given: unknown): Promise<WebAssembly.Module> {
  let details: string | undefined;
  try {
    let source: any = await given;
    if (typeof source === 'string' || is(source, 'URL')) {
      details = shownUrl(safely(() => new URL(source, pageUrl())) as unknown as string, {});
      source = await fetchFile(source);
    }
    if (is(source, 'Response')) {
      details = `${shownUrl(source.url, {}) || details}: status ${source.status}, ${headerOf(source, 'content-type') ?? 'no content type'}`;
      if (!source.ok) throw new Error(details);
      // Whole, not streamed: servers give it any type. An index.html in its place shows by its first four bytes.
      source = await source.arrayBuffer();
    }
    // A module is used as it is: workerd runs no bytes.
    if (!is(source, 'WebAssembly.Module')) {
      probe();
      source = await WebAssembly.compile(source);
    }
    return checked(source, FULL);
  } catch (error) {
    throw new Refusal(LOAD_FAILED, details, undefined, error);
  }
}

/** The file may be of another deploy, or of something else. */
function checked(module: WebAssembly.Module, engine: number): WebAssembly.Module {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  if (!names.includes(ENGINE) || (engine & FULL && !names.includes(FULL_EXPORT))) throw new Error('a file of another version');
  return module;
}

/** Loads the engine from a place of the caller's. */
export async function init(source?: unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await Promise.race([
      load(wanted, source),
      // A call that waits has a deadline of its own.
      new Promise<void>((resolve, reject) => {
        if (!(wanted & ~have)) return resolve();
        timer = setTimeout(() => {
          // The next call does not wait for these loads.
          loading = {};
          reject(new Refusal(LOAD_FAILED, `no answer within ${LIMIT} ms`));
        }, LIMIT);
      }),
    ]);
  } catch (refusal) {
    throw errorWithoutCall(refusal as Refusal, 'load');
  } finally {
    clearTimeout(timer);
  }
}

/** Loads now what the first calls of the clients that there are will need. */
export const ready = (): Promise<void> => init();
