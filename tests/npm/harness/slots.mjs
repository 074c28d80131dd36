// The engine's calls as seen from outside. It takes a new slot only when none is free, so those that it has are as many as
// there were calls at once: one more for each that was not given back.

/** Has to be there before the first call makes the instance. @param {{ intercept: Function }} memory */
export function trackSlots(memory) {
  let slots = 0;
  memory.intercept((exports) => ({
    ...exports,
    start(...args) {
      const out = exports.start(...args);
      // docs/engine.md: OUT[2] is the id of a started call, whose lower half is its slot.
      const id = new Float64Array(exports.memory.buffer)[(out >>> 3) + 2];
      slots = Math.max(slots, (id % 2 ** 32) + 1);
      return out;
    },
  }));
  return { count: () => slots };
}
