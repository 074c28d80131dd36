// A frame as the page sees it: what it is asked for, and what it tells.

import { h } from '../element.js';

export class Frame {
  #port;
  #asked = new Map();
  #ids = 0;

  constructor(name) {
    this.name = name;
    this.element = h('iframe', { src: 'session/frame.html', title: `Frame ${name}`, hidden: true });
    /** Is called with what happens in the frame. */
    this.onNews = () => {};
  }

  /** Resolves when the frame can be asked. @param {Node} parent */
  async load(parent) {
    const loaded = new Promise((resolve) => this.element.addEventListener('load', resolve, { once: true }));
    parent.append(this.element);
    await loaded;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#message(data);
    this.element.contentWindow.postMessage({ frame: this.name }, location.origin, [port2]);
    await this.#ask('load');
    return this;
  }

  /** A client for this server, with this lock. */
  open(options) {
    return this.#ask('open', options);
  }

  /** @returns {Promise<{ statuses: number[], code?: string, sessionLost: boolean }[]>} */
  call(count) {
    return this.#ask('call', { count });
  }

  close() {
    return this.#ask('close');
  }

  #ask(name, options) {
    return new Promise((resolve, reject) => {
      this.#ids += 1;
      this.#asked.set(this.#ids, { resolve, reject });
      this.#port.postMessage({ id: this.#ids, name, options });
    });
  }

  #message({ id, result, problem, news }) {
    if (news) return this.onNews(news);
    const { resolve, reject } = this.#asked.get(id);
    this.#asked.delete(id);
    if (problem === undefined) resolve(result);
    else reject(new Error(problem));
  }
}
