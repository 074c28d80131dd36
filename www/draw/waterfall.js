// All calls of a run on one time axis, drawn from their events.

import { h, style } from '../element.js';
import { duration } from '../format.js';
import { Lane } from './lane.js';
import { limitsOf } from './limits.js';
import { domain, Scale } from './scale.js';
import { KINDS, Timeline } from './timeline.js';

/** Above this many lanes they are drawn flat, without words in them. */
const MANY = 4;
/** Between two drawings, for those who want less motion. */
const CALM_MS = 250;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class Waterfall {
  #rows = new Map();
  #bare;
  #frame;
  #drawn = 0;

  /** @param {{ choose: (callId: number) => void, hint?: string }} parts what to do with a lane that is chosen, and what to say before the first run */
  constructor({ choose, hint = 'Press Send.' }) {
    this.choose = choose;
    this.hint = hint;
    this.axis = h('div', { class: 'axis', 'aria-hidden': 'true' });
    this.lanes = h('ol', { class: 'lanes' });
    this.note = h('p', { class: 'hint' }, hint);
    this.crowd = h('p', { class: 'hint', hidden: true },
      'A browser keeps at most six HTTP/1.1 connections to a host: further attempts wait inside it, which counts as waiting for headers.');
    this.legend = h('ul', { class: 'legend', 'aria-label': 'Legend' },
      ...Object.entries(KINDS).map(([kind, name]) => h('li', {}, h('span', { class: 'segment', 'data-kind': kind, 'aria-hidden': 'true' }), name)),
      h('li', {}, h('span', { class: 'key-limit', 'aria-hidden': 'true' }), 'limit'));
    this.element = h('div', { class: 'waterfall' }, this.axis, this.lanes, this.note, this.crowd, this.legend);
  }

  /** An empty axis for a new run. */
  clear({ limits, count, hook }) {
    this.limits = limits;
    this.#rows.clear();
    this.#bare = undefined;
    /** When the first call was asked for. */
    this.zero = Infinity;
    this.hook = hook;
    this.lanes.replaceChildren();
    this.axis.replaceChildren();
    this.note.hidden = true;
    this.element.classList.toggle('many', count > MANY);
    this.crowd.hidden = count <= MANY;
    this.count = count;
    this.#animate();
  }

  /** Nothing runs. */
  idle() {
    this.note.textContent = this.hint;
    this.note.hidden = false;
  }

  add(event) {
    if (event.type === 'call-start') this.#row(event);
    const row = this.#rows.get(event.callId);
    if (event.type !== 'call-start') row.timeline.add(event);
    this.#animate();
  }

  /** The lane of the bare fetch; the same object is given again when it has changed. */
  setBare(bare) {
    if (!this.#bare) {
      const lane = new Lane('bare fetch');
      lane.element.classList.add('bare');
      this.lanes.append(lane.element);
      this.#bare = { lane };
    }
    this.#bare.state = bare;
    this.zero = Math.min(this.zero, bare.started);
    this.#animate();
  }

  /** The run is over; what was refused before it became a call left no event. */
  finish() {
    if (this.#rows.size > 0) return;
    this.note.textContent = 'No event: the call was refused before it began.';
    this.note.hidden = false;
  }

  timeline(callId) {
    return this.#rows.get(callId)?.timeline;
  }

  select(callId) {
    for (const [id, { lane }] of this.#rows) {
      if (lane.name.tagName === 'BUTTON') lane.name.setAttribute('aria-pressed', String(id === callId));
      lane.element.classList.toggle('chosen', this.#rows.size > 1 && id === callId);
    }
  }

  #row(event) {
    const chosen = this.count > 1 ? () => this.choose(event.callId) : undefined;
    const name = this.count > 1 ? event.operation : 'steadfetch';
    const lane = new Lane(name, { chosen });
    const timeline = new Timeline(event, { ...this.limits, hook: this.hook });
    const asked = performance.now() - event.elapsedMs;
    this.#rows.set(event.callId, { lane, timeline, asked });
    if (this.#bare) this.#bare.lane.element.before(lane.element);
    else this.lanes.append(lane.element);
    this.zero = Math.min(this.zero, asked);
  }

  #animate() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      const now = performance.now();
      if (!calm.matches || now - this.#drawn >= CALM_MS || !this.#live) {
        this.#drawn = now;
        this.#draw(now);
      }
      if (this.#live) this.#animate();
    });
  }

  get #live() {
    const pending = [...this.#rows.values()].some(({ timeline }) => !timeline.end);
    return pending || (this.#bare !== undefined && this.#bare.state.end === undefined);
  }

  #draw(now) {
    const rows = [...this.#rows.values()].map((row) => {
      const since = now - row.asked;
      const offset = row.asked - this.zero;
      return { ...row, since, offset, marks: limitsOf(row.timeline, this.limits), extent: offset + row.timeline.extent(since) };
    });
    const bare = this.#bare?.state.view(now);
    const bareOffset = bare ? bare.started - this.zero : 0;
    const extent = Math.max(0, ...rows.map((row) => row.extent), bare ? bareOffset + bare.extent : 0);
    const scale = new Scale(domain(extent, rows.flatMap(({ marks, offset }) => marks.map(({ at }) => offset + at))));
    if (rows.length > 0 || bare) this.#drawAxis(scale);
    for (const { lane, timeline, since, offset, marks } of rows) lane.draw(timeline, since, scale, offset, marks);
    if (bare) this.#bare.lane.drawBare(bare, now - bare.started, scale, bareOffset);
  }

  #drawAxis(scale) {
    const ticks = scale.ticks(this.element.clientWidth < 560 ? 3 : 6);
    // The last one would stand out of the axis.
    const named = ticks.filter((at) => scale.percent(at) < 92);
    this.axis.replaceChildren(...named.map((at) => {
      const tick = h('span', {}, duration(at));
      style(tick, { left: `${scale.percent(at)}%` });
      return tick;
    }));
    style(this.lanes, { '--tick': ticks.length > 1 ? `${scale.percent(ticks[1])}%` : '100%' });
  }
}
