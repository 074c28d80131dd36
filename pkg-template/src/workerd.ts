// The entry for workerd, where a module is imported and cannot be compiled.
//
// Timers, fetches and promises of workerd belong to the request that made them. They end with it, and serve no other one. So an
// engine works for one request at a time, and those that are free serve the next.

import type { Engine } from './shapes.js';

import { takeChunks } from './chunks.js';
import module from './steadfetch_bg.wasm';
import { runtime } from './runtime.js';
import { fullTexts } from './full-texts.js';
import { take } from './load.js';
import { FULL, LEAN } from './features.js';
import { setTexts } from './texts.js';

/** How many engines are kept. A request that was cut off never gives back the one that it has. */
const KEPT = 64;
/** For each engine an object of the request that it works for. */
const marks = new WeakMap<Engine, WebSocket>();

setTexts(fullTexts);
runtime.isServer_ = true;

runtime.chooseEngine_ = (engines) => {
  let free: Engine | undefined;
  for (const engine of engines) {
    if (!engine.isAlive_()) continue;
    if (isOfThisRequest(marks.get(engine))) return engine;
    if (engine.isFree_()) free ??= engine;
  }
  if (free) runtime.markEngine_!(free);
  else if (engines.size >= KEPT) engines.delete(engines.values().next().value!);
  return free;
};

runtime.markEngine_ = (engine) => marks.set(engine, new WebSocketPair()[0]);

/** workerd throws where the socket of another request is looked at. */
function isOfThisRequest(socket: WebSocket | undefined): boolean {
  try {
    return socket!.readyState !== undefined;
  } catch {
    return false;
  }
}

// All are there from the start: nothing is left to be loaded by the request that comes first.
takeChunks();
take(FULL | LEAN, module);

export * from './api.js';
