// All cases, one after the other.

export class Tour {
  #stopped = false;
  /** What became of each, by id. */
  outcomes = new Map();

  /** @param {import('./cases.js').Case[]} cases */
  constructor(cases) {
    this.cases = cases;
    this.started = performance.now();
  }

  /**
   * Resolves with whether it came to its end.
   *
   * @param {(one: import('./cases.js').Case) => Promise<import('./player.js').Outcome>} play
   * @param {(done: number) => void} progress
   */
  async run(play, progress) {
    for (const one of this.cases) {
      if (this.#stopped) break;
      const outcome = await play(one);
      if (outcome.state === 'stopped') break;
      this.outcomes.set(one.id, outcome);
      progress(this.outcomes.size);
    }
    this.elapsed = performance.now() - this.started;
    return this.outcomes.size === this.cases.length;
  }

  stop() {
    this.#stopped = true;
  }

  /** How many cases stand so, of all or of some. */
  count(state, cases = this.cases) {
    return cases.filter(({ id }) => this.outcomes.get(id)?.state === state).length;
  }
}
