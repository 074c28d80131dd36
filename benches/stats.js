// Statistics that a few outliers cannot move.

export function quantile(numbers, share) {
  const sorted = [...numbers].sort((left, right) => left - right);
  const place = (sorted.length - 1) * share;
  const low = Math.floor(place);
  const high = Math.ceil(place);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

export const median = (numbers) => quantile(numbers, 0.5);

export const spread = (numbers) => ({
  p10: quantile(numbers, 0.1),
  median: median(numbers),
  p90: quantile(numbers, 0.9),
});

/** Round by round, so that a slow second counts on both sides. */
export const differences = (times, base) => times.map((time, round) => time - base[round]);

/**
 * The ratio of two medians, with the interval that holds it in nine of ten repetitions (bootstrap: rounds drawn anew from
 * those there are, the same ones for both).
 */
export function ratio(above, below, draws = 1_000) {
  const random = generator(above.length);
  const drawn = Array.from({ length: draws }, () => {
    const rounds = above.map(() => Math.floor(random() * above.length));
    return median(rounds.map((round) => above[round])) / median(rounds.map((round) => below[round]));
  });
  return { value: median(above) / median(below), low: quantile(drawn, 0.05), high: quantile(drawn, 0.95) };
}

/** mulberry32: the same numbers give the same interval. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
