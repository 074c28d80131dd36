// The time axis.

/** From milliseconds to percent of the width. */
export class Scale {
  constructor(domain) {
    this.domain = Math.max(domain, 1);
  }

  percent(ms) {
    return (Math.min(ms, this.domain) / this.domain) * 100;
  }

  /** About `count` round steps. */
  ticks(count) {
    const step = roundStep(this.domain / count);
    const ticks = [];
    for (let at = 0; at < this.domain; at += step) ticks.push(at);
    return ticks;
  }
}

/** The next of 1, 2, 5 times a power of ten. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}

/** How much of an axis the events may fill before the next limit is left out of it. */
const REACH = 2.5;
const MARGIN = 1.06;

/**
 * The end of the axis: all that has happened, and those limits that are near enough not to squeeze it.
 *
 * @param {number} extent how far the calls have come
 * @param {number[]} limits where the limits are
 */
export function domain(extent, limits) {
  const near = limits.filter((limit) => limit <= extent * REACH);
  return Math.max(extent, ...near, 10) * MARGIN;
}
