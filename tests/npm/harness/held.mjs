// A `fetch` whose answers the case gives by hand, so that no clock decides which call runs and which waits.

/** Heeds its signal as the platform does. `calls` has all that were sent, `out` those that are not over. */
export function held() {
  const calls = [];
  let most = 0;
  const out = () => calls.filter((call) => !call.isOver);
  const fetch = (input, init) => new Promise((resolve, reject) => {
    const end = (settle) => (value) => {
      call.isOver = true;
      settle(value);
    };
    const call = {
      url: input.url ?? `${input}`,
      path: new URL(input.url ?? input).pathname.slice(1),
      init,
      isOver: false,
      answer: end((value) => resolve(value ?? new Response('{"a":1}', { headers: { 'content-length': '7' } }))),
      fail: end((error) => reject(error ?? new TypeError('Failed to fetch'))),
    };
    init.signal.addEventListener('abort', () => call.fail(init.signal.reason), { once: true });
    calls.push(call);
    most = Math.max(most, out().length);
  });
  return Object.assign(fetch, {
    calls,
    out,
    /** The paths of what was sent, in order. */
    paths: () => calls.map((call) => call.path),
    /** How many were out at once. */
    most: () => most,
  });
}
