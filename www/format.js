// Numbers for people.

/** `12 ms`, `1.25 s`. */
export function duration(ms) {
  if (ms === Infinity) return 'no limit';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))} s`;
}

/** `512 B`, `64 KiB`. */
export function bytes(count) {
  if (count < 1024) return `${count} B`;
  if (count < 1024 * 1024) return `${Number((count / 1024).toFixed(1))} KiB`;
  return `${Number((count / 1024 / 1024).toFixed(1))} MiB`;
}

/** `1 attempt`, `3 attempts`. */
export function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first letter in upper case. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
