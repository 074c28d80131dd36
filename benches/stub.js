// Stand-ins for the platform's fetch: what is measured around them is the wrapper's own cost.

export const TEXT = '{"ok":true}';

/** Answers at once, each time with a fresh Response. */
export const answering = () => Promise.resolve(new Response(TEXT));

/** A promise that only the abort of the request settles, as a platform's does. */
function untilAborted(input, init) {
  const signal = init?.signal ?? input.signal;
  return new Promise((_, reject) => {
    if (!signal) return;
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Fails `times` times as a lost connection does, then answers. */
export function failing(times) {
  let left = times;
  return () => {
    if (left === 0) return answering();
    left -= 1;
    return Promise.reject(new TypeError('Failed to fetch'));
  };
}

/** Never answers. */
export const silent = (input, init) => untilAborted(input, init);

/** Answers at once, with a body that never ends. */
export async function stalling(input, init) {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(TEXT));
      untilAborted(input, init).catch((reason) => controller.error(reason));
    },
  });
  return new Response(body);
}
