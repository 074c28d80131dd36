// What the engine says, in the words of the public API. The layout is in docs/engine.md.

import { CODES, OUTCOMES, PHASES, PHASE_BODY, PHASE_IDLE, STOPPED } from './generated.js';

const known = (number) => (Number.isNaN(number) ? undefined : number);
const word = (words, number) => words[number] || undefined;

/** Numbers that wait to be read, first in, first out. */
export class Numbers {
  constructor() {
    this.list_ = [];
    this.at_ = 0;
  }

  isEmpty_() {
    if (this.at_ < this.list_.length) return false;
    this.list_.length = this.at_ = 0;
    return true;
  }

  push_(number) {
    this.list_.push(number);
  }

  next_() {
    return this.list_[this.at_++];
  }

  /** An entry of `error.attempts`. */
  attempt_() {
    const [number, resend, outcome, code, status, phase, startMs, elapsedMs] = this.take_(8);
    return {
      number,
      resend: !!resend,
      outcome: OUTCOMES[outcome],
      code: word(CODES, code),
      status: known(status),
      phase: PHASES[phase],
      startMs,
      elapsedMs,
    };
  }

  /** A failed call: the number of its code, and the fields of its error. */
  failure_() {
    const [code, phase, outcome, stopped, status, retryAfter, limit, bytes, elapsedMs, count] = this.take_(10);
    return {
      code_: code,
      fields_: {
        phase: word(PHASES, phase),
        outcome: OUTCOMES[outcome],
        attempts: Array.from({ length: count }, () => this.attempt_()),
        elapsedMs,
        retryAfterMs: known(retryAfter),
        retryStopped: word(STOPPED, stopped),
        status: known(status),
        bytesReceived: phase === PHASE_BODY || phase === PHASE_IDLE ? bytes : undefined,
        limit: known(limit),
      },
    };
  }

  take_(count) {
    this.at_ += count;
    return this.list_.slice(this.at_ - count, this.at_);
  }
}
