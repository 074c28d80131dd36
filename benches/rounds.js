// The measurement. Contestants take turns, in an order drawn anew for each round: what the machine does meanwhile falls on
// all alike, and what is compared was measured within the same second.

import { SETTINGS } from './settings.js';
import { answering, TEXT } from './stub.js';

const PARALLEL = 100;

/** How calls follow each other, and whether the caller brings a signal. */
export const MODES = [
  { name: 'one after the other', parallel: 1, signal: false },
  { name: 'one after the other, with a signal', parallel: 1, signal: true },
  { name: '100 at once', parallel: PARALLEL, signal: false },
  { name: '100 at once, with a signal', parallel: PARALLEL, signal: true },
];

/**
 * @param {{ name: string, make: Function }[]} contestants
 * @param {{ url: string, calls: number, rounds: number, warmUp: number, fetch?: typeof fetch, modes?: object[] }} plan
 *   `calls` of each batch
 * @returns {Promise<Record<string, Record<string, number[]>>>} by mode, by contestant: microseconds per call of each round
 */
export async function measure(contestants, { fetch = answering, modes = MODES, ...plan }) {
  const clients = contestants.map(({ name, make }) => ({ name, call: make({ ...SETTINGS, fetch }) }));
  for (const { name, call } of clients) await check(name, call, plan.url);
  const results = Object.fromEntries(
    modes.map((mode) => [mode.name, Object.fromEntries(clients.map(({ name }) => [name, []]))]),
  );
  for (let round = -plan.warmUp; round < plan.rounds; round += 1) {
    for (const mode of shuffled(modes)) {
      for (const { name, call } of shuffled(clients)) {
        const time = await batch(call, mode, plan);
        if (round >= 0) results[mode.name][name].push(time);
      }
    }
  }
  return results;
}

async function check(name, call, url) {
  for (const controller of [undefined, new AbortController()]) {
    const got = await call(url, controller);
    if (got !== TEXT) throw new Error(`${name} gave ${JSON.stringify(got)} for ${JSON.stringify(TEXT)}`);
  }
}

/** @returns {Promise<number>} microseconds per call */
async function batch(call, { parallel, signal }, { url, calls }) {
  // Made beforehand: the caller's own cost. Kept, since the signal of a lost controller can never fire.
  const controllers = Array.from({ length: calls }, () => (signal ? new AbortController() : undefined));
  await settle();
  const start = performance.now();
  if (parallel === 1) {
    for (const controller of controllers) await call(url, controller);
  } else {
    for (let from = 0; from < calls; from += parallel) {
      await Promise.all(controllers.slice(from, from + parallel).map((controller) => call(url, controller)));
    }
  }
  return ((performance.now() - start) * 1_000) / calls;
}

/** The young garbage of the one before is not for the next one to clear away, nor are its last tasks. */
async function settle() {
  await new Promise((resolve) => setTimeout(resolve, 0));
  globalThis.gc?.({ type: 'minor' });
}

function shuffled(list) {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [copy[last], copy[other]] = [copy[other], copy[last]];
  }
  return copy;
}
