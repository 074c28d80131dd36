// The server of this page: one origin that answers everything, slowly or quickly, until it is taken down.

const PATH = '/work';

export class ServerUnderLoad {
  #calls = 0;

  /** @param {object} origin of the fault server */
  constructor(origin) {
    this.origin = origin;
  }

  /** For the next call. Each has its own, since Chromium's cache lets requests for the same address wait for each other. */
  nextUrl() {
    this.#calls += 1;
    return this.origin.url(`${PATH}?call=${this.#calls}`);
  }

  /** @param {object} server @param {number} delay of each answer, in milliseconds */
  static async open(server, delay) {
    return new ServerUnderLoad(await server.open({ script: script(delay) }));
  }

  /** From now on each answer takes this long. */
  answerAfter(delay) {
    return this.origin.script(script(delay));
  }

  /** Whether connections are accepted. Those that are open are dropped with the rest. */
  listen(listening) {
    return this.origin.listening(listening);
  }

  close() {
    return this.origin.close();
  }
}

function script(delay) {
  return { [`${PATH}*`]: { delay, json: { done: true } } };
}
