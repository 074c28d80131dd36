// What happened second by second.

/** How a call ends, as the chart counts it. */
export const ENDS = {
  ok: 'succeeded',
  failed: 'failed',
  refused: 'not sent',
};

/** Codes of calls that were ended without a request. */
const REFUSED = new Set(['CIRCUIT_OPEN', 'QUEUE_FULL', 'QUEUE_TIMEOUT']);

/** @param {object | undefined} error of a call, undefined if it succeeded */
export function endOf(error) {
  if (error === undefined) return 'ok';
  return REFUSED.has(error.code) ? 'refused' : 'failed';
}

export class History {
  /** @param {number} seconds how many there are; what comes later belongs to the last */
  constructor(seconds) {
    this.seconds = Array.from({ length: seconds }, (_, second) => ({ second, ok: 0, failed: 0, refused: 0 }));
  }

  /** A call has ended. @param {number} at milliseconds since the start */
  settle(at, end) {
    this.#second(at)[end] += 1;
  }

  /** How things stand. Of several looks at a second the fullest counts for the numbers, the last for the state. */
  sample(at, { inFlight, waiting, state }) {
    const second = this.#second(at);
    second.inFlight = Math.max(second.inFlight ?? 0, inFlight);
    second.waiting = Math.max(second.waiting ?? 0, waiting);
    second.state = state;
  }

  /** Those that have been looked at. */
  get seen() {
    return this.seconds.filter(({ state }) => state !== undefined);
  }

  total(end) {
    return this.seconds.reduce((sum, second) => sum + second[end], 0);
  }

  #second(at) {
    return this.seconds[Math.min(Math.floor(at / 1000), this.seconds.length - 1)];
  }
}
