// Pages that run one case after the other, for browsers in which a new one takes longer than a case. Each case has an origin
// of its own all the same: own connections, own caches, own storage. Cookies are shared.

/**
 * What looks like a browser of playwright-core.
 *
 * @param {() => Promise<{ goto: (url: string) => Promise<unknown>, close: () => Promise<unknown> }>} open a new page
 * @param {() => Promise<unknown>} close ends the browser
 */
export function reusing(open, close) {
  const idle = [];
  /** Who is to be told when a page crashes, by page. */
  const listeners = new Map();
  const broken = new Set();

  async function next() {
    const page = idle.pop() ?? (await open());
    if (!listeners.has(page)) {
      page.once?.('crash', () => {
        broken.add(page);
        listeners.get(page)?.();
      });
    }
    listeners.set(page, undefined);
    return page;
  }

  async function giveBack(page) {
    // Takes what is left of the case with it.
    await page.goto('about:blank');
    idle.push(page);
  }

  return {
    async newContext() {
      const page = await next();
      const whenClosed = [];
      let closing;
      return {
        newPage: async () => ({
          goto: (url) => page.goto(url),
          once(event, listener) {
            if (event === 'close') whenClosed.push(listener);
            else listeners.set(page, listener);
          },
        }),
        /** With a reason, the page is in no state to be used again. */
        close({ reason } = {}) {
          whenClosed.forEach((listener) => listener());
          closing ??= reason || broken.has(page) ? page.close() : giveBack(page);
          return closing;
        },
      };
    },
    close,
  };
}
