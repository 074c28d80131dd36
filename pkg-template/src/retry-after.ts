// Retry-After and the reset headers of rate limits (RFC 9110, sections 10.2.3 and 5.6.7). The same rules are in
// core/src/retry_after.rs for the Rust API; tests/vectors/retry-after.json holds both to them.

/** A reset header counts as seconds since 1970 from this value on. */
const EPOCH_FROM = 1e9;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** Milliseconds since 1970 of an HTTP-date in any of its three forms; NaN for any other text, and for a date that does not exist. */
function httpDate(text: string, wall: number): number {
  const [, day, month = '', year, time, second] =
    /^[A-Za-z]{3}, (..) (...) (....) (.{6})(..) GMT$/.exec(
      text
        .trim()
        // asctime, whose day may begin with a space
        .replace(
          /^([A-Za-z]{3}) (...) ([ \d])(\d) (.{8}) (....)$/,
          (_, name: string, month: string, tens: string, ones: string, time: string, year: string) => `${name}, ${+tens}${ones} ${month} ${year} ${time} GMT`,
        )
        // RFC 850: the latest such year that is not more than 50 years in the future
        .replace(/^[A-Za-z]{6,9}, (..)-(...)-(\d\d)(?= )/, (_, day: string, month: string, year: string) => {
          const latest = new Date(wall).getUTCFullYear() + 50;
          return `Sun, ${day} ${month} ${latest - ((latest - +year) % 100)}`;
        }),
    ) ?? [];
  // The second 60 is a leap second: the one after.
  const leap = second === '60';
  const iso = `${year}-${`${MONTHS.indexOf(month) / 3 + 1}`.padStart(2, '0')}-${day}T${time}${leap ? 59 : second}.000Z`;
  const date = new Date(iso);
  // What was read in another way, as an engine may try to, reads differently.
  return date.toJSON() === iso ? +date + (leap ? 1000 : 0) : NaN;
}

/**
 * The wait in milliseconds that a header asks for; NaN if it asks for none.
 * @param isReset whether it may be seconds since 1970
 * @param date the answer's own Date, which a wrong clock here does not matter to
 */
export function waitOf(value: string, isReset: number, date: string): number {
  const wall = Date.now();
  // Node's fetch leaves the spaces around a value.
  value = value.trim();
  const isNumber = /^\d+$/.test(value);
  const wait = isNumber ? +value * 1000 : httpDate(value, wall);
  const since = !isNumber || (isReset && +value >= EPOCH_FROM) ? httpDate(date, wall) || wall : 0;
  return Math.min(Math.max(0, wait - since), Number.MAX_SAFE_INTEGER);
}
