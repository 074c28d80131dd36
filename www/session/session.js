// The page about the session: its token expires while two frames call, and either one of them refreshes it or both do.

import { h } from '../element.js';
import { duration } from '../format.js';
import { highlight } from '../panels/highlight.js';
import { prose } from '../prose.js';
import { codeOf } from './auth.js';
import { FrameCard } from './frame-card.js';
import { FIRST, SessionServer } from './server.js';
import { explanation, roleOf, verdict } from './words.js';

const STORE = 'steadfetch-playground-session';
const storeOf = ({ base }) => `${STORE}:${base}`;
const $ = (id) => document.getElementById(id);

export class Session {
  #run;

  /** @param {{ server: object, frames: import('./frame.js').Frame[] }} parts */
  constructor({ server, frames }) {
    Object.assign(this, { server, frames });
    const [one, other] = frames;
    this.cards = [new FrameCard(one.name, other.name), new FrameCard(other.name, one.name)];
    $('frames').append(...this.cards.map(({ element }) => element));
    $('expire').addEventListener('click', () => this.#press());
    $('lock').addEventListener('change', () => this.#showCode());
    addEventListener('pagehide', () => {
      const { server } = this.#run ?? {};
      if (!server) return;
      localStorage.removeItem(storeOf(server));
      server.close();
    });
    this.#showCode();
    this.#explain('before');
  }

  get lock() {
    return $('lock').checked ? 'origin' : 'tab';
  }

  async #press() {
    // The button keeps the focus while it does nothing.
    if (this.#run) return;
    const run = { began: performance.timeOrigin + performance.now() };
    this.#run = run;
    $('expire').setAttribute('aria-disabled', 'true');
    document.documentElement.dataset.busy = 'true';
    this.#clear();
    this.#say('The token expires …', 'pending');
    try {
      run.server = await SessionServer.open(this.server);
      this.#show(await this.#expire(run));
    } catch (error) {
      this.#say(`It could not be shown: ${error.message}`, 'failed');
    } finally {
      await this.#end(run);
    }
  }

  async #expire({ server, began }) {
    const count = Number($('count').value);
    const store = storeOf(server);
    localStorage.setItem(store, JSON.stringify(FIRST));
    try {
      await Promise.all(this.frames.map((frame) => frame.open({ base: server.base, lock: this.lock, store })));
      const told = this.frames.map((frame) => this.#listen(frame, began));
      await server.expire(() => this.#note(performance.timeOrigin + performance.now() - began, 'Server', 'the same refresh token again: the session is revoked', 'failed'));
      const [calls] = await Promise.all([
        Promise.all(this.frames.map((frame) => frame.call(count))),
        server.answer(count * this.frames.length),
      ]);
      const frames = this.frames.map(({ name }, index) => ({ name, role: roleOf(told[index]), calls: calls[index] }));
      return { frames, log: await server.log(), revoked: server.isRevoked };
    } finally {
      localStorage.removeItem(store);
    }
  }

  /** Counts what a frame tells, and says what changes. */
  #listen(frame, began) {
    const told = { refreshes: [], resends: 0 };
    let isExpired = false;
    frame.onNews = (news) => {
      const note = (text, state) => this.#note(news.at - began, `Frame ${frame.name}`, text, state);
      if (news.type === 'refresh') {
        told.refreshes.push(news);
        note(`refresh ${news.ok ? 'succeeded' : 'refused'} after ${duration(news.refreshMs)}`, news.ok ? 'ok' : 'failed');
      } else if (news.resend) {
        told.resends += 1;
        if (told.resends === 1) note(`sent again${told.refreshes.length === 0 ? ', with the token that is stored by now' : ''}: ${news.status}`, news.status === 200 ? 'ok' : 'failed');
      } else if (!isExpired) {
        isExpired = true;
        note(`the old token: ${news.status}`);
      }
    };
    return told;
  }

  #show({ frames, log, revoked }) {
    const calls = frames.flatMap((frame) => frame.calls);
    const ok = calls.filter(({ code }) => code === undefined).length;
    const refreshes = log.filter(({ method }) => method === 'POST').length;
    const names = (role) => frames.filter((frame) => frame.role === role).map(({ name }) => `Frame ${name}`).join(', ') || 'nobody';
    this.#gauge('refreshes', String(refreshes));
    this.#gauge('calls', `${ok} of ${calls.length}`);
    this.#gauge('refreshed', names('refreshed'));
    this.#gauge('adopted', names('adopted'));
    this.#gauge('session', revoked ? 'revoked' : 'alive');
    frames.forEach((frame, index) => this.cards[index].show(frame.role, frame.calls, revoked));
    const first = log[0]?.atMs ?? 0;
    $('log').replaceChildren(...log.map(({ method, url, token, atMs }) => h('tr', {},
      ...[`+${duration(atMs - first)}`, `${method} ${url}`, token].map((text) => h('td', {}, text)))));
    this.#explain(revoked ? 'revoked' : 'kept');
    this.#say(verdict({ refreshes, ok, calls: calls.length, revoked, frames }), revoked || ok < calls.length ? 'failed' : 'ok');
  }

  async #end({ server }) {
    try {
      await Promise.all(this.frames.map((frame) => frame.close()));
      await server?.close();
    } catch (error) {
      this.#say(`The fault server said: ${error.message}`, 'failed');
    }
    this.#run = undefined;
    $('expire').removeAttribute('aria-disabled');
    document.documentElement.dataset.busy = 'false';
  }

  #clear() {
    for (const name of ['refreshes', 'calls', 'refreshed', 'adopted', 'session']) this.#gauge(name, '–');
    for (const card of this.cards) card.clear();
    $('changes').replaceChildren();
    $('log').replaceChildren();
  }

  #gauge(name, value) {
    const gauge = document.querySelector(`[data-gauge="${name}"]`);
    gauge.dataset.value = value;
    gauge.querySelector('.value-now').textContent = value;
  }

  /** One more line of what happened. */
  #note(at, who, text, state = 'pending') {
    $('changes').append(h('li', { 'data-state': state }, h('span', { class: 'at' }, duration(at)), ' ', h('strong', {}, who), ` ${text}`));
  }

  #explain(end) {
    $('why').replaceChildren(...explanation(end).map((text) => h('p', {}, ...prose(text))));
    $('why').dataset.end = end;
  }

  #showCode() {
    $('code').replaceChildren(...highlight(codeOf(this.lock)));
  }

  #say(text, state) {
    $('status').textContent = text;
    $('status').dataset.state = state;
  }
}
