// Where a case can run. A case without `hosts` runs everywhere.

export const BROWSERS = ['chromium', 'firefox', 'webkit'];
export const CHROMIUM = ['chromium'];
export const NODE = ['node'];
/** Runtimes without pages. */
export const RUNTIMES = ['node', 'deno', 'bun'];

export const except = (...hosts) => [...BROWSERS, ...RUNTIMES].filter((host) => !hosts.includes(host));
