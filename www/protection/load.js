// A steady load, for a bounded time.

export class Load {
  #timer;
  #rate;

  /**
   * @param {object} parts
   * @param {() => void} parts.call is called `rate` times a second
   * @param {() => void} parts.ended is called once, after `seconds` or when it is stopped
   * @param {number} parts.seconds how long it goes on at most
   */
  constructor({ call, ended, seconds }) {
    Object.assign(this, { call, ended, seconds });
  }

  start(rate) {
    this.started = performance.now();
    this.rate = rate;
  }

  /** Calls a second; may be changed at any time. */
  set rate(rate) {
    this.#rate = rate;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#tick(), 1000 / rate);
  }

  get rate() {
    return this.#rate;
  }

  get elapsed() {
    return performance.now() - this.started;
  }

  stop() {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.ended();
  }

  #tick() {
    if (this.elapsed >= this.seconds * 1000) this.stop();
    else this.call();
  }
}
