// Runs one instance of the wasm module: passes numbers in and out, keeps its one timer, and fails its calls when it crashes. All clients share
// one engine; while a fuller module takes over, there are two.

import type { CallState, HandedCall, ReadyCall } from './call-state.js';
import type { ActionKind } from './protocol.js';
import type { Actions, Engine, EngineExports, Get, Moment, Numeric } from './shapes.js';

import { LONGEST, noteTime, now, timeNow } from './clock.js';
import { crash, failWith } from './settle.js';
import { runtime } from './runtime.js';
import { crashes, engines } from './live.js';
import { parts } from './optional.js';
import {
  ACTION_AUTH,
  ACTION_END_WELL,
  ACTION_ID,
  ACTION_KIND,
  ACTION_MASK,
  ACTION_SHIFT,
  ACTION_WATCH_ONLINE,
  CHOICE_FALSE,
  CHOICE_NOT_GIVEN,
  CHOICE_TRUE,
  CIRCUIT_VIEW_SIZE,
  FACT_AUTH,
  FACT_BUDGET,
  FACT_CIRCUIT,
  FACT_FLAGS,
  FACT_IDEMPOTENT,
  FACT_LANE,
  FACT_LISTED,
  FACT_METHOD,
  FACT_OPTIONS,
  FACT_PRIORITY,
  FACT_SCOPE_DEADLINE,
  FACT_SHARE,
  FACT_STARTED,
  FACT_TIMEOUT_GIVEN,
  FACT_TOTAL_GIVEN,
  FACT_TURN,
  OUT_DEADLINE,
  OUT_LENGTH,
  OUT_SIZE,
  OUT_STARTED,
  PRIORITIES,
  WATCH_ONLINE_WATCH,
} from './protocol.js';

/** Only servers have it. */
declare function setImmediate(then: () => void): void;

/**
 * How long the timer of a page stays armed after its last call, in milliseconds: the next call most often comes sooner, and to set the
 * only timer of a page costs as much as all else that is done for a call.
 */
const REST = 100;

/** How long a late timer lets others go first: a body comes from another process, piece by piece. */
const YIELD = 10;

const isOnline = (): boolean => (globalThis as Partial<typeof globalThis>).navigator?.onLine !== false;
const choice = (value: boolean | undefined): number => (value === undefined ? CHOICE_NOT_GIVEN : value ? CHOICE_TRUE : CHOICE_FALSE);

/** The module, or the function that makes an engine of it in JavaScript. */
export type EngineModule = WebAssembly.Module | (() => EngineExports);

/**
 * Makes an engine of its own of a module.
 * @param actions what performs its actions; where there is nothing, the optional chunk has it
 */
export function makeEngine(module: EngineModule, actions: Actions): Engine {
  const isTranslated = typeof module === 'function';
  /** The exports, until a trap. */
  let wasm = (isTranslated ? module() : new WebAssembly.Instance(module).exports) as EngineExports | undefined;
  /** The exports that every call uses: a known function is called faster than one that is looked up. */
  const { start: startIn, head, event } = wasm!;
  /** Where `IN` is. */
  const input = wasm!.setup(...crypto.getRandomValues(new Uint32Array(4))) >>> 3;
  /** The memory as numbers; it moves when it grows. */
  let memory = new Float64Array();
  /** That from `IN` on. */
  let facts: Float64Array;
  const calls = new Map<number, CallState>();
  /** Numbers of actions, how many there are, and how many have been read. It never shrinks: to set its length is slow. */
  const queue: number[] = [];
  let filled = 0;
  let at = 0;
  let isActing = false;
  /** Where the action ends that is being performed, and whose it is. */
  let end!: number;
  let acting: CallState | undefined;
  /** The cause of its crash, until all calls have failed. */
  let fault: { readonly error_: unknown } | undefined;
  let isFailingAll = false;
  /** Calls that are cancelled, and the engine does not know yet. */
  const cancelled: CallState[] = [];
  /** The engine's next deadline, when the timer is due, the timer, and what clears it. */
  let deadline = Infinity;
  let due = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let disarm: typeof clearTimeout | undefined;
  /** Calls that are more than an unread body: what keeps a Node process alive. */
  let held = 0;
  /** Whether new calls go elsewhere. */
  let isRetired = false;

  /** A number of the action that is being performed, by its place. */
  const get: Get = (place) => queue[at + place]!;
  const tick = (): void => run('tick', isOnline());
  const watchOnline = (watch?: number): void => globalThis[watch ? 'addEventListener' : 'removeEventListener']?.('online', tick);

  function view(): Float64Array {
    // WebAssembly empties the view of a memory that grows; the engine in JavaScript leaves it as it was.
    const isCurrent = memory.length && (!isTranslated || memory.buffer === wasm!.memory.buffer);
    if (!isCurrent) {
      memory = new Float64Array(wasm!.memory.buffer);
      facts = memory.subarray(input);
    }
    return memory;
  }

  function start(call: ReadyCall): void {
    const config = call.config_;
    const time = timeNow();
    call.started_ ??= time;
    view();
    facts[FACT_STARTED] = Math.ceil(call.started_);
    facts[FACT_METHOD] = call.methodNumber_;
    facts[FACT_FLAGS] = call.flags_();
    facts[FACT_TIMEOUT_GIVEN] = config.timeoutGiven_;
    facts[FACT_TOTAL_GIVEN] = config.totalGiven_;
    facts[FACT_IDEMPOTENT] = choice(config.idempotent);
    facts[FACT_LISTED] = choice(config['retry.methods']?.includes(call.method_));
    facts[FACT_BUDGET] = call.budget_;
    facts[FACT_CIRCUIT] = call.circuitKey_;
    facts[FACT_LANE] = call.partition_;
    facts[FACT_TURN] = call.fairnessKey_;
    facts[FACT_PRIORITY] = PRIORITIES.indexOf(call.init_.priority!);
    facts[FACT_SCOPE_DEADLINE] = call.view_.deadline_;
    facts[FACT_AUTH] = call.auth_;
    facts[FACT_SHARE] = call.likeness_?.number_ ?? 0;
    facts.set(config.slots_, FACT_OPTIONS);
    runAt(time, 'start', call);
  }

  /** Asks an export that changes nothing for a call; 0 if it traps. The lean module has not all of them. */
  function ask(name: string, a?: Numeric, b?: Numeric, c?: Numeric, d?: Numeric, e?: Numeric): number | undefined {
    try {
      return wasm![name]?.(a, b, c, d, e);
    } catch (error) {
      onTrap(error);
      return 0;
    }
  }

  function enter(name: string, time: Moment, a: Numeric, b: Numeric, c: Numeric, d: Numeric, e: Numeric, f: Numeric, g: Numeric): number {
    if (name === 'event') return event(time, a, b, c, d);
    if (name === 'head') return head(time, a, b, c, d, e, f);
    return name === 'start' ? startIn(time) : wasm![name]!(time, a, b, c, d, e, f, g);
  }

  /** Calls an export, then performs the engine's actions. */
  function run(name: string, a?: Numeric, b?: Numeric, c?: Numeric, d?: Numeric, e?: Numeric, f?: Numeric, g?: Numeric): void {
    runAt(timeNow(), name, a, b, c, d, e, f, g);
  }

  /** The same at a known time. An exception out of an export is a trap. */
  function runAt(time: Moment, name: string, a?: Numeric | CallState, b?: Numeric, c?: Numeric, d?: Numeric, e?: Numeric, f?: Numeric, g?: Numeric): void {
    if (!isAlive()) return;
    noteTime(time);
    const isStart = name === 'start';
    try {
      const out = enter(name, Math.ceil(time), a as Numeric, b, c, d, e, f, g) >>> 3;
      const numbers = view();
      deadline = numbers[out + OUT_DEADLINE]!;
      if (isStart) calls.set(((a as CallState).id_ = numbers[out + OUT_STARTED]!), a as CallState);
      const last = out + numbers[out + OUT_LENGTH]!;
      for (let place = out + OUT_SIZE; place < last; place++) queue[filled++] = numbers[place]!;
      // Before the actions, which may take their time.
      arm(time);
    } catch (error) {
      if (isStart) calls.set(-1, a as CallState);
      return onTrap(error);
    }
    // Re-entered, by a listener or a hook: the outer run goes on with what has come.
    if (!isActing) perform();
  }

  function perform(): void {
    isActing = true;
    while (at < filled) {
      try {
        for (; at < filled; at = end) {
          acting = undefined;
          end = at + (get(ACTION_KIND) >> ACTION_SHIFT);
          act();
        }
      } catch (error) {
        failOne(error);
      }
    }
    isActing = false;
    acting = undefined;
    filled = at = 0;
    if (cancelled.length) cancelled.splice(0).forEach(cancel);
    if (timer !== undefined) runtime.holdTimer_(timer, held > 0);
    if (isRetired) retire();
  }

  /** An action threw. The caller's objects make it do so: its call ends, and no other. */
  function failOne(error: unknown): void {
    at = end;
    try {
      failWith(acting!, error);
      run('cancel', acting!.id_, true);
    } catch {
      // At the end of the stack there is no room for that either. Or it is no call's, and all of them need it.
      onTrap(error);
    }
  }

  /** A call that is cancelled while actions are performed ends after them: until then it is not sent. */
  function cancel(call: CallState): void {
    if (isActing) cancelled.push(call);
    else if (!call.isDone_) run('cancel', call.id_, !call.isCallersAbort_);
  }

  function act(): void {
    const kind = (get(ACTION_KIND) & ACTION_MASK) as ActionKind;
    const id = get(ACTION_ID);
    if (kind === ACTION_WATCH_ONLINE) return watchOnline(get(WATCH_ONLINE_WATCH));
    // Its number is that of an `auth` object.
    if (kind === ACTION_AUTH) return parts.actions_[kind](id, get);
    acting = calls.get(id);
    if (kind >= ACTION_END_WELL) calls.delete(id);
    (actions[kind] ?? parts.actions_[kind])!(acting as HandedCall, get, kind);
  }

  function onTimer(): void {
    timer = undefined;
    due = Infinity;
    tick();
  }

  /**
   * One timer for all calls, armed for the earliest deadline. One that is armed too early finds nothing to do. Test runners of servers
   * count timers: there none is left.
   */
  function arm(time: Moment): void {
    const when = deadline === Infinity && timer !== undefined && !runtime.isServer_ ? time + REST : deadline;
    // A timer of other functions, that a test put in their place or took away, may never fire.
    if (when < due || when === Infinity || disarm !== clearTimeout) setTimer(when, time);
  }

  function setTimer(when: Moment, time?: Moment): void {
    if (timer !== undefined) disarm!(timer);
    disarm = clearTimeout;
    due = when;
    timer = undefined;
    if (!when) yieldTasks(time! + YIELD, onTimer);
    else if (when < Infinity) timer = setTimeout(onTimer, Math.min(Math.max(0, Math.ceil(when - time!)), LONGEST));
  }

  function disarmIdle(): void {
    if (deadline === Infinity) setTimer(deadline);
  }

  /** The memory goes with the last call. */
  function retire(): void {
    isRetired = true;
    if (calls.size) return;
    engines.delete(engine);
    disarmIdle();
  }

  /** A trap leaves nothing behind: every call settles, the timer goes, and the next call makes a new engine. */
  function onTrap(error: unknown): void {
    if (!wasm) return;
    // At the end of the stack there may be no room for a call: what comes next goes on from here.
    fault = { error_: error };
    wasm = undefined;
    isActing = false;
    failAll();
  }

  function failAll(): void {
    isFailingAll = true;
    try {
      filled = at = 0;
      cancelled.length = 0;
      if (engines.delete(engine)) crashes.push(now());
      parts?.abandon_(engine);
      for (const [id, call] of calls) {
        crash(call, fault!.error_);
        calls.delete(id);
      }
      watchOnline();
      deadline = Infinity;
      disarmIdle();
      fault = undefined;
    } finally {
      isFailingAll = false;
    }
  }

  function isAlive(): boolean {
    if (fault && !isFailingAll) failAll();
    return !!wasm;
  }

  const engine: Engine = {
    calls_: calls,
    start_: start,
    isAlive_: isAlive,
    isFree_: () => !calls.size && timer === undefined,
    ask_: ask,
    run_: run,
    cancel_: cancel,
    runAt_: runAt,
    circuit_(key, resetTimeout) {
      const out = ask('circuit', now(), key, resetTimeout)! >>> 3;
      return wasm ? view().slice(out, out + CIRCUIT_VIEW_SIZE) : [];
    },
    hold_(count) {
      held += count;
    },
    disarmIdle_: disarmIdle,
    retire_: retire,
  };
  engines.add(engine);
  return engine;
}

/** Lets others go first for a moment: by tasks, since what made the timer late may hold up the next one too. */
function yieldTasks(end: Moment, then: () => void): void {
  const next = () => (performance.now() < end ? yieldTasks(end, then) : then());
  // Node reads its sockets between two of these, but not between two messages.
  if ((globalThis as { setImmediate?: unknown }).setImmediate) return void setImmediate(next);
  // Older workerd has no channels.
  if (!(globalThis as Partial<typeof globalThis>).MessageChannel) return void setTimeout(next);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    next();
  };
  port2.postMessage(0);
}
