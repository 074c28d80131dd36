// Time that stands still until it is told to go on.

import type { TestClock } from '../testing.js';

/** What real time is told with, whoever replaces it later. */
const real: { setTimeout: typeof setTimeout; now: () => number } = { setTimeout: globalThis.setTimeout, now: performance.now.bind(performance) };

/** An hour of virtual time: longer than any call, and passed soon even where something ticks each second. */
const HOUR = 3_600_000;
/** How long something may take in real time when no timer is set. */
const PATIENCE = 5_000;
/** As in HTML, a delay is a 32-bit integer. */
const LONGEST = 2 ** 31 - 1;
/** Handles begin where no real one is: those of timers that were set before are cleared too. */
const FIRST = 2 ** 40;
/** What one timer starts may take so many tasks until it sets the next one. */
const TASKS = 5;

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

let current: TestClock | undefined;

const task = (milliseconds = 0): Promise<void> => new Promise((resolve) => real.setTimeout(resolve, milliseconds));

/** Lets run what is ready to run: microtasks, and the tasks that they queue. */
async function settle(): Promise<void> {
  for (let count = 0; count < TASKS; count += 1) await task();
}

/** Replaces a global or a member until it is put back. */
function replace<T extends object, K extends keyof T>(object: T, name: K, value: T[K]): () => void {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: before?.enumerable ?? false });
  return () => {
    if (before) Object.defineProperty(object, name, before);
    else delete object[name];
  };
}

/** A handle is a number in pages, and an object with these members in Node. */
function handleOf(number: number, isObject: boolean): ReturnType<typeof setTimeout> {
  if (!isObject) return number as never;
  const handle = { ref: () => handle, unref: () => handle, hasRef: () => true, [Symbol.toPrimitive]: () => number };
  return handle as never;
}

function dateOf(now: () => number): DateConstructor {
  return new Proxy(Date, {
    construct: (target, given, type) => Reflect.construct(target, given.length ? given : [now()], type),
    apply: (target) => new target(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}

export function createClock({ now: start = Date.now() }: { now?: number | Date } = {}): TestClock {
  if (current) throw new Error('steadfetch/testing: another clock is not restored yet');
  const timers = new Map<number, Timer>();
  // A whole number: the engine rounds up, and a limit would come a moment after its time.
  const began = Math.ceil(real.now());
  const wall = Number(start);
  let now = began;
  let count = FIRST;
  let isRestored = false;

  const isObject = typeof real.setTimeout(() => {}, 0) === 'object';
  const set = (callback: (...given: unknown[]) => void, delay: number, repeats: boolean, given: unknown[]) => {
    const span = delay > LONGEST || !(delay > 0) ? 0 : Math.trunc(delay);
    count += 1;
    const every = repeats ? Math.max(span, 1) : undefined;
    timers.set(count, { at: now + span, order: count, every, run: () => callback(...given) });
    return handleOf(count, isObject);
  };
  const { clearTimeout } = globalThis;
  const clear = (handle: unknown) => {
    if (!timers.delete(Number(handle))) clearTimeout(handle as Parameters<typeof clearTimeout>[0]);
  };
  const next = (): [number, Timer] | undefined => {
    let first: [number, Timer] | undefined;
    for (const entry of timers) if (!first || entry[1].at < first[1].at || (entry[1].at === first[1].at && entry[1].order < first[1].order)) first = entry;
    return first;
  };
  const fire = async ([handle, timer]: [number, Timer]) => {
    now = Math.max(now, timer.at);
    if (timer.every === undefined) timers.delete(handle);
    else timers.set(handle, { ...timer, at: now + timer.every, order: (count += 1) });
    try {
      timer.run();
    } catch (error) {
      // As the platform does it: others go on.
      if (globalThis.reportError) globalThis.reportError(error);
      else console.error(error);
    }
    await settle();
  };
  const check = () => {
    if (isRestored) throw new Error('steadfetch/testing: the clock is restored: make another one');
  };

  const timeout = (callback: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) => set(callback, delay, false, given);
  const interval = (callback: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) => set(callback, delay, true, given);
  const restores = [
    replace(globalThis, 'setTimeout', timeout as typeof setTimeout),
    replace(globalThis, 'setInterval', interval as typeof setInterval),
    replace(globalThis, 'clearTimeout', clear as typeof clearTimeout),
    replace(globalThis, 'clearInterval', clear as typeof clearInterval),
    replace(performance, 'now', () => now),
    replace(globalThis, 'Date', dateOf(() => Math.trunc(wall + now - began))),
  ];
  const restore = () => {
    if (isRestored) return;
    isRestored = true;
    current = undefined;
    for (const undo of restores.reverse()) undo();
  };
  const clock: TestClock = {
    now: () => now,
    get pending() {
      return timers.size;
    },
    async advance(milliseconds) {
      check();
      if (!(milliseconds >= 0)) throw new TypeError(`steadfetch/testing: advance() takes milliseconds from 0, not ${milliseconds}`);
      const until = now + milliseconds;
      await settle();
      for (let entry = next(); entry && entry[1].at <= until; entry = next()) await fire(entry);
      now = until;
      await settle();
    },
    async settle(promise, limit = HOUR) {
      check();
      let isSettled = false;
      const done = () => void (isSettled = true);
      promise.then(done, done);
      const until = now + limit;
      let idleSince: number | undefined;
      for (;;) {
        await settle();
        if (isSettled) return promise;
        const entry = next();
        if (entry && entry[1].at <= until) {
          idleSince = undefined;
          await fire(entry);
        } else if (entry) {
          throw new Error(`steadfetch/testing: after ${limit} ms the promise has not settled`);
        } else {
          idleSince ??= real.now();
          if (real.now() - idleSince > PATIENCE) throw new Error('steadfetch/testing: the promise waits for something that is no timer');
          await task(1);
        }
      }
    },
    restore,
    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: restore,
  } as TestClock;
  current = clock;
  return clock;
}

export function followDate(): () => void {
  const offset = performance.now() - Date.now();
  return replace(performance, 'now', () => Date.now() + offset);
}
