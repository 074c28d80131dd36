// Runs a case: the call that its scenario describes, made by the package, against the fault server.

import { Run } from '../run/run.js';
import { Certificate } from './certificate.js';

/**
 * @typedef {object} Outcome what became of a case
 * @property {'expected' | 'unexpected' | 'skipped' | 'stopped'} state
 * @property {Run} [run] with its events, its result and what the server saw
 * @property {string} [note] why there is nothing to judge
 * @property {string} [href] what to open to change that
 */

export class Player {
  #run;

  /** @param {{ product: object, server: object }} parts */
  constructor({ product, server }) {
    Object.assign(this, { product, server });
    this.certificate = new Certificate(server);
  }

  /**
   * @param {import('./cases.js').Case} one
   * @param {import('../run/run.js').Listener} listener
   * @param {{ compare: boolean }} how whether bare fetch makes the same call beside it
   * @returns {Promise<Outcome>}
   */
  async play({ scenario, certificate }, listener, { compare }) {
    let run;
    try {
      if (certificate && !(await this.certificate.trusted())) return { state: 'skipped', note: this.certificate.note, href: this.certificate.href };
      run = new Run({ ...this, fault: scenario, call: scenario.call, count: 1, compare }, listener);
      this.#run = run;
      await run.start();
    } catch (error) {
      return { state: 'unexpected', note: `The fault server said: ${error.message}` };
    } finally {
      this.#run = undefined;
      await run?.close();
    }
    if (run.stopped) return { state: 'stopped' };
    return judged(run);
  }

  /** Cancels the call that is under way, or what is only waiting for bare fetch. */
  stop() {
    if (!this.#run) return;
    this.#run.stopped = this.#run.verdict === undefined;
    this.#run.cancel();
  }
}

/** The outcome of a run that has its verdict. */
export function judged(run) {
  return { state: run.verdict?.length === 0 ? 'expected' : 'unexpected', run };
}
