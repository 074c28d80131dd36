// The entry for workerd, where a module is imported and cannot be compiled.
//
// Timers, fetches and promises of workerd belong to the request that made them. They end with it, and serve no other one. So an
// instance works for one request at a time, and those that are free serve the next.

import type { Engine } from './shapes.js';

import module from './steadfetch_bg.wasm';
import parts from './parts.js';
import { host } from './host.js';
import { fullTexts } from './full-texts.js';
import lending from './lending.js';
import { take } from './load.js';
import { FULL, LEAN, PARTS } from './needs.js';
import { setTexts } from './texts.js';

/** How many instances are kept. A request that was cut off never gives back the one that it has. */
const KEPT = 64;
/** For each instance an object of the request that it works for. */
const marks = new WeakMap<Engine, WebSocket>();

setTexts(fullTexts);
host.isServer_ = true;

host.chooseInstance_ = (instances) => {
  let free: Engine | undefined;
  for (const instance of instances) {
    if (!instance.isAlive_()) continue;
    if (isOfThisRequest(marks.get(instance))) return instance;
    if (instance.isFree_()) free ??= instance;
  }
  if (free) host.markInstance_!(free);
  else if (instances.size >= KEPT) instances.delete(instances.values().next().value!);
  return free;
};

host.markInstance_ = (instance) => marks.set(instance, new WebSocketPair()[0]);

/** workerd throws where the socket of another request is looked at. */
function isOfThisRequest(socket: WebSocket | undefined): boolean {
  try {
    return socket!.readyState !== undefined;
  } catch {
    return false;
  }
}

// Both are there from the start: nothing is left to be loaded by the request that comes first.
take(PARTS, parts(lending));
take(FULL | LEAN, module);

export * from './api.js';
