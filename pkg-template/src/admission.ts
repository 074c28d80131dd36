// The JavaScript side of queue and circuit breaker: keys, events and metrics; and the header that tells the server the deadline.

import type { Circuit } from '../protection.js';
import type { AnsweredCall, CallState, ReadyCall, SentCall } from './call-state.js';
import type { Circuits, Config, Init } from './config.js';
import type { Get } from './shapes.js';

import { originOfHome } from './home.js';
import { provided } from './provided.js';
import {
  CIRCUIT_BREAKER_RESET_TIMEOUT_SLOT,
  CIRCUIT_STATE,
  CIRCUIT_VIEW_FAILURES,
  CIRCUIT_VIEW_RETRY_AFTER,
  CIRCUIT_VIEW_STATE,
  LENGTH,
} from './protocol.js';
import { typeName } from './type-name.js';

/** How many circuits `api.circuits()` knows, as many as the engine keeps. */
const CIRCUITS = 256;

/** The word that a function of the caller gives for a request. */
function ask(call: ReadyCall, name: 'circuitBreaker.key' | 'queue.key'): string {
  const { url_: url, method_: method, init_: init, config_: config } = call;
  const word: unknown = config[name]!({ url, method, headers: new Headers(init.headers), operation: config.operation });
  if (typeof word !== 'string') throw new TypeError(`${name} gave ${typeName(word)}`);
  return word;
}

/** Gives a call the numbers of its circuit, its lane and its turn. */
export function placeInAdmission(call: ReadyCall, origin: string): void {
  const config = call.config_;
  const { circuitBreaker, queue } = config.shared_;
  if (circuitBreaker) {
    const circuit = config['circuitBreaker.key'] ? ask(call, 'circuitBreaker.key') : origin;
    const key = provided.keyOf_(circuitBreaker, circuit);
    call.circuit_ = circuit;
    call.circuitKey_ = key;
    remember(config.circuits_!, circuit, key);
  }
  if (!queue) return;
  measure();
  call.partition_ = provided.keyOf_(queue, config['queue.perOrigin'] === false ? '' : origin);
  if (config['queue.key']) call.fairnessKey_ = provided.keyOf_(queue, ask(call, 'queue.key'));
}

/** The circuits that were asked of late, the latest last. */
function remember(circuits: Circuits, circuit: string, key: number): void {
  // Most calls go where the one before went.
  if (circuits.latest_ === key) return;
  circuits.latest_ = key;
  circuits.delete(circuit);
  circuits.set(circuit, key);
  provided.keep_(circuits, CIRCUITS);
}

// How long bodies are. A short one gives its slot back at its head; to look for that costs more than all else that an idle
// queue does, so it is put off until a call asks for a slot.

/** Calls whose bodies have not been measured since a call last asked for a slot. */
let unmeasured: AnsweredCall[] = [];

export function measureLater(call: AnsweredCall): void {
  unmeasured.push(call);
  if (call.config_.counts_.waiting) measure();
}

function measure(): void {
  if (!unmeasured.length) return;
  const calls = unmeasured;
  unmeasured = [];
  for (const call of calls) {
    const length = call.isDone_ ? NaN : lengthOf(call);
    if (length >= 0) call.event_(LENGTH, length);
  }
}

function lengthOf({ response_: response, config_: config }: AnsweredCall): number {
  try {
    // Only who makes up a response can leave out its body.
    return config.fetch && provided.bodyOf_(response) === null ? 0 : provided.lengthOf_(response);
  } catch {
    // There is none by now, or it is made up and does not say.
    return NaN;
  }
}

export function emitQueued(call: CallState): void {
  // It has been in a refresh meanwhile.
  if (call.queuedAt_) return;
  const counts = call.config_.counts_;
  counts.enqueued++;
  counts.waiting++;
  call.queuedAt_ = performance.now();
  call.emit_('queued', 'queue');
  // A retry asks for its slot by itself.
  measure();
}

/** A call waits for a slot no longer. */
export function unqueue(call: CallState, isSent?: boolean): void {
  const counts = call.config_.counts_;
  const waited = Math.round(performance.now() - call.queuedAt_);
  call.queuedAt_ = 0;
  counts.waiting--;
  if (!isSent) return;
  counts.dispatched++;
  provided.note_(counts.queueMs, waited);
  provided.note_(counts.queueShare, waited / (waited + call.left_!));
}

export function emitCircuit(call: CallState, get: Get): void {
  const state = provided.states_[get(CIRCUIT_STATE)] as Circuit['state'];
  if (state === 'open') call.config_.counts_.circuitsOpened++;
  call.emit_('circuit-change', 'queue', { circuit: call.circuit_!, state });
}

/** How each circuit stands that was asked of late. */
export const circuitsOf = ({ circuits_: circuits, slots_: slots }: Config): Circuit[] =>
  [...circuits!].map(([key, number]) => {
    // In workerd every engine has its own circuits: one that refuses calls is what a reader looks for.
    const views = [...provided.engines_].map((engine) => engine.circuit_(number, slots[CIRCUIT_BREAKER_RESET_TIMEOUT_SLOT]!) ?? []);
    const view = views.find((one) => one[CIRCUIT_VIEW_STATE]! > 1) ?? views.at(-1) ?? [];
    return {
      key,
      state: provided.states_[view[CIRCUIT_VIEW_STATE] ?? 1] as Circuit['state'],
      failures: view[CIRCUIT_VIEW_FAILURES] ?? 0,
      retryAfterMs: view[CIRCUIT_VIEW_RETRY_AFTER] ?? 0,
    };
  });

/** Says what is left of the total time in a header, where that costs no preflight or is asked for. */
export function addDeadline(call: SentCall, init: Init, once: Request | undefined): void {
  const { deadlineHeader, baseUrl } = call.config_;
  const { name, crossOrigin } = deadlineHeader!;
  const home = globalThis.location?.origin ?? originOfHome(baseUrl);
  if (!(call.left_ < Infinity) || (!crossOrigin && home && provided.originOf_(call.url_) !== home)) return;
  let headers;
  try {
    headers = new Headers(init.headers ?? ((once ?? call.input_) as Partial<Request>).headers);
  } catch {
    // fetch will refuse them too, and say so.
    return;
  }
  headers.set(name, `${call.left_}`);
  init.headers = headers;
}
