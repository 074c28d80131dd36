// A browser that is replaced by a new one from time to time. Chromium keeps a service worker for half a minute after its last
// event, all those of this machine in one process, and each with its wasm memory, of which there is room for a hundred.

/**
 * What looks like a browser of playwright-core.
 *
 * @param {() => Promise<{ newContext: Function, close: Function }>} launch
 * @param {number} often how many contexts each gets
 */
export function renewing(launch, often) {
  let current;

  /** The next context's browser. */
  function next() {
    if (!current || current.given === often) current = { browser: launch(), given: 0, open: 0 };
    current.given += 1;
    current.open += 1;
    return current;
  }

  async function release(one) {
    one.open -= 1;
    if (one.open === 0 && one.given === often) await (await one.browser).close();
  }

  return {
    async newContext(options) {
      const one = next();
      const context = await (await one.browser).newContext(options);
      let closing;
      return {
        newPage: () => context.newPage(),
        close: (why) => (closing ??= context.close(why).finally(() => release(one))),
      };
    },
    close: async () => current && (await current.browser).close(),
  };
}
