// What a careful engineer writes around fetch by hand: the measure that the wrapper's own cost is held against.
// One controller for a call, a timer for the attempt and one for the whole, the caller's signal heard and let go, the
// body read within all of them, retries of network errors with full jitter. No more.

const MAX_BACKOFF = 10_000;

/**
 * @param {string} url of something that may be asked for twice
 * @param {{ signal?: AbortSignal, timeout: number, totalTimeout: number, retries: number, delay: number,
 *   fetch?: typeof fetch }} options times in milliseconds
 * @param {(response: Response) => Promise<T>} read takes what is wanted of the response; the limits cover it
 * @returns {Promise<T>}
 * @template T
 */
export async function request(url, options, read) {
  const { signal, timeout, totalTimeout, retries, delay, fetch = globalThis.fetch } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const cancel = () => controller.abort(signal.reason);
  const expire = () => controller.abort(new DOMException('timed out', 'TimeoutError'));
  signal?.addEventListener('abort', cancel, { once: true });
  const total = setTimeout(expire, totalTimeout);
  try {
    for (let retry = 0; ; retry += 1) {
      const attempt = setTimeout(expire, timeout);
      let response;
      try {
        response = await fetch(url, { signal: controller.signal });
        if (!response.ok) throw new Error(`status ${response.status}`, { cause: response });
        return await read(response);
      } catch (error) {
        // Browsers disagree on what an aborted fetch rejects with; the reason is known here.
        if (controller.signal.aborted) throw controller.signal.reason;
        // A response that broke off, or was refused above, is final.
        if (response || retry >= retries) throw error;
      } finally {
        clearTimeout(attempt);
      }
      await pause(Math.random() * Math.min(delay * 2 ** retry, MAX_BACKOFF), controller.signal);
    }
  } finally {
    clearTimeout(total);
    signal?.removeEventListener('abort', cancel);
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
