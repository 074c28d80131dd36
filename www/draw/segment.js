// Draws one segment of a lane.

import { h, style } from '../element.js';
import { duration } from '../format.js';
import { KINDS } from './timeline.js';

export class SegmentView {
  constructor({ kind, attempt }) {
    this.kind = kind;
    this.name = kind === 'headers' || kind === 'attempt' ? `#${attempt} ${KINDS[kind]}` : KINDS[kind];
    // Left out where the segment is too narrow for it.
    this.length = h('span', { class: 'length' });
    const label = h('span', { class: 'label' }, h('span', {}, this.name), this.length);
    this.element = h('div', { class: 'segment', 'data-kind': kind }, label);
  }

  /** @param {number} offset where the lane's zero lies on the axis */
  draw({ start, end }, now, scale, offset) {
    const to = end ?? Math.max(now, start);
    const left = scale.percent(offset + start);
    style(this.element, { left: `${left}%`, width: `${scale.percent(offset + to) - left}%` });
    const length = duration(to - start);
    if (this.length.textContent !== length) {
      this.length.textContent = length;
      this.element.title = `${this.name}, ${length}`;
    }
    this.element.classList.toggle('open', end === undefined);
  }
}
