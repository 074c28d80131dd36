// The lane of one call: its name, its track of segments and limits, and how it ended.

import { h, style } from '../element.js';
import { duration, plural } from '../format.js';
import { SegmentView } from './segment.js';
import { KINDS } from './timeline.js';

/** Percent of the track that the name of a limit needs at least. */
const CROWDED = 12;

export class Lane {
  #views = [];
  #marks = new Map();

  constructor(name, { chosen } = {}) {
    this.name = chosen ? h('button', { type: 'button', class: 'lane-name', onclick: chosen }, name) : h('span', { class: 'lane-name' }, name);
    this.track = h('div', { class: 'track', 'aria-hidden': 'true' });
    this.badge = h('span', { class: 'badge' });
    this.time = h('span', { class: 'time' });
    /** The limits that are not on the axis. */
    this.beyond = h('span', { class: 'beyond' });
    this.spoken = h('span', { class: 'unseen' });
    this.element = h('li', { class: 'lane' }, this.name, this.track, h('span', { class: 'lane-end' }, this.badge, this.time, this.beyond), this.spoken);
  }

  /** @param {import('./timeline.js').Timeline} timeline */
  draw(timeline, now, scale, offset, limits) {
    this.#segments(timeline.segments, now, scale, offset);
    this.#limits(limits, scale, offset);
    this.time.textContent = duration(timeline.extent(now));
    const { end } = timeline;
    if (!end) this.#badge('pending', timeline.open ? KINDS[timeline.open.kind] : 'under way');
    else if (end.ok) this.#badge('ok', `${end.status ?? 'ok'}`);
    else this.#badge('failed', end.code);
    if (end) this.spoken.textContent = spoken(timeline);
  }

  /** For lanes that are not drawn from events. */
  drawBare({ segments, badge, state, extent }, now, scale, offset) {
    this.#segments(segments, now, scale, offset);
    this.time.textContent = duration(extent);
    this.#badge(state, badge);
    this.spoken.textContent = `${badge}, ${duration(extent)}`;
  }

  #segments(segments, now, scale, offset) {
    segments.forEach((segment, index) => {
      let view = this.#views[index];
      if (view?.kind !== segment.kind) {
        view?.element.remove();
        view = this.#views[index] = new SegmentView(segment);
        this.track.append(view.element);
      }
      view.draw(segment, now, scale, offset);
    });
    for (const view of this.#views.splice(segments.length)) view.element.remove();
  }

  #limits(limits, scale, offset) {
    const inside = limits.filter(({ at }) => offset + at <= scale.domain);
    const former = { call: -Infinity, attempt: -Infinity };
    const kept = new Set();
    for (const { name, from, at, scope } of inside.toSorted((one, other) => one.at - other.at)) {
      const key = `${name} ${from}`;
      kept.add(key);
      let mark = this.#marks.get(key);
      if (!mark) {
        mark = h('div', { class: 'limit', 'data-scope': scope, 'data-limit': name }, h('span', {}, `${name} ${duration(at - from)}`));
        this.#marks.set(key, mark);
        this.track.append(mark);
      }
      const left = scale.percent(offset + at);
      style(mark, { left: `${left}%` });
      // Names stand where there is room: on the side of the line that has more of it, and not upon each other.
      mark.classList.toggle('early', left < 50);
      mark.classList.toggle('crowded', left - former[scope] < CROWDED);
      former[scope] = left;
    }
    for (const [key, mark] of this.#marks) {
      if (kept.has(key)) continue;
      mark.remove();
      this.#marks.delete(key);
    }
    const beyond = limits.filter((limit) => !inside.includes(limit)).map(({ name, from, at }) => `${name} ${duration(at - from)}`);
    this.beyond.textContent = beyond.length > 0 ? `far off: ${beyond.join(', ')}` : '';
  }

  #badge(state, text) {
    this.badge.dataset.state = state;
    if (this.badge.textContent !== text) this.badge.textContent = text;
  }
}

/** The lane in a sentence, for those who do not see it. */
function spoken({ segments, end }) {
  const parts = segments.map(({ kind, start, end: to, attempt }) => `${kind === 'headers' ? `attempt ${attempt}, ` : ''}${KINDS[kind]} ${duration(to - start)}`);
  const result = end.ok ? `succeeded with ${end.status ?? 'a response'}` : `failed with ${end.code}`;
  return `${plural(end.attempts, 'attempt')}: ${parts.join('; ')}; ${result} after ${duration(end.elapsedMs)}.`;
}
