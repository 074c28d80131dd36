// Keeps the state of a covered response in a private field of it, and finds the body that the platform gave it.

import type { CallState, Cancellable, LooseState, ResponseState } from './call-state.js';

import { safely } from './errors.js';

/** Gives back what it is given, so that the private fields of a class above it end up there. */
class Given {
  constructor(given: object) {
    return given;
  }
}

/**
 * The state of a covered response, in a private field of it. A WeakMap would do too, but each collection
 * of garbage has to go through it: in Node that costs more than all else that is done for a call.
 */
class Covered extends Given {
  #state: ResponseState | undefined;

  static mark_(response: object, state: ResponseState): void {
    // The constructed value is used: bundlers drop a `new` whose value is not.
    ((#state in response ? response : new Covered(response)) as Covered).#state = state;
  }

  static stateOf_(response: any): ResponseState | undefined {
    return Object(response) === response && #state in response ? response.#state : undefined;
  }
}

/** The state of a covered response; undefined for another one. */
export const stateOf: (response: unknown) => ResponseState | undefined = Covered.stateOf_;

/** The state of a response that is not covered yet: its members are its own. */
export const newState = (response: Response, call: CallState): ResponseState => ({ call_: call, original_: response, target_: response, stream_: undefined, isBare_: false, isUsed_: false, isProxy_: false, reader_: undefined });

export const mark: (response: object, state: ResponseState) => void = Covered.mark_;

/** The state of a response, covered or not. */
export const known = (response: Response): LooseState => stateOf(response) ?? { original_: response, target_: response };

/** The body as it was before it was covered: undefined where responses have none, as those of old polyfills. */
export const bodyIn = ({ original_: original, target_: target }: LooseState): any => Reflect.get(original, 'body', target);
export const bodyOf = (response: Response): unknown => bodyIn(known(response)) ?? null;

/** Cancels a body that will not be read. */
export const drop = (response: Response | undefined): void => dropBody(known(response!));

/** Cancels a stream, or what reads it. Whether it can be is its own business. */
export function cancelBody(stream: Cancellable | undefined, reason?: unknown): void {
  try {
    stream?.cancel?.(reason)?.catch(() => {});
  } catch {
    // Locked, or of the caller's making.
  }
}

export const dropBody = (state: LooseState): void =>
  safely(() => {
    const body = bodyIn(state);
    // That of Node.
    if (body?.destroy) body.destroy();
    else cancelBody(body);
  });
