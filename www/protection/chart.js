// The history, drawn: a column for each second, stacked by how calls ended, over the state of the circuit; and two lines.

import { svg } from './svg.js';
import { ENDS } from './history.js';

const WIDTH = 600;
const HEIGHT = 120;
const BAND = 12;

/** Columns of calls by how they ended, and the circuit under them. */
export class Columns {
  constructor(seconds) {
    this.step = WIDTH / seconds;
    this.columns = svg('g');
    this.band = svg('g');
    this.element = picture(HEIGHT + BAND + 4, this.columns, this.band);
  }

  draw(history, least) {
    const top = Math.max(least, ...history.seconds.map((second) => total(second)));
    this.columns.replaceChildren(...history.seconds.flatMap((second) => this.#column(second, top)));
    this.band.replaceChildren(...history.seen.map(({ second, state }) => svg('rect', {
      x: second * this.step, y: HEIGHT + 4, width: this.step, height: BAND, 'data-state': state,
    })));
    return top;
  }

  #column(second, top) {
    let y = HEIGHT;
    return Object.keys(ENDS).filter((end) => second[end] > 0).map((end) => {
      const height = (second[end] / top) * HEIGHT;
      y -= height;
      return svg('rect', { x: second.second * this.step + 0.5, y, width: this.step - 1, height, 'data-end': end });
    });
  }
}

/** A line for each of these numbers. */
export class Lines {
  constructor(seconds, names) {
    this.step = WIDTH / seconds;
    this.lines = names.map((name) => svg('path', { 'data-line': name, 'vector-effect': 'non-scaling-stroke' }));
    this.element = picture(HEIGHT, ...this.lines);
  }

  draw(history, least) {
    const { seen } = history;
    const names = this.lines.map((line) => line.dataset.line);
    const top = Math.max(least, ...seen.flatMap((second) => names.map((name) => second[name])));
    for (const line of this.lines) {
      const points = seen.map((second) => {
        const y = HEIGHT - 1 - (second[line.dataset.line] / top) * (HEIGHT - 2);
        return `${second.second * this.step},${y} ${(second.second + 1) * this.step},${y}`;
      });
      line.setAttribute('d', points.length > 0 ? `M${points.join(' L')}` : '');
    }
    return top;
  }
}

function picture(height, ...children) {
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true', class: 'chart' }, ...children);
}

function total(second) {
  return Object.keys(ENDS).reduce((sum, end) => sum + second[end], 0);
}
