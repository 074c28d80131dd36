// Where the parts under test are. `cargo xtask test` says so by environment variables; by hand the defaults serve.

import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const inRepository = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Directory of the unpacked package. */
export const packageDirectory = resolve(process.env.STEADFETCH_PKG ?? inRepository('pkg'));
const target = process.env.CARGO_TARGET_DIR ?? inRepository('target');
export const serverBinary = resolve(process.env.STEADFETCH_SERVER_BIN ?? `${target}/debug/steadfetch-fault-server`);
/** The modules of the facade, as the bundler gets them. */
export const stageDirectory = resolve(target, 'steadfetch/stage');
export const chromium = process.env.STEADFETCH_CHROMIUM ?? '/usr/bin/chromium';
export const firefox = process.env.STEADFETCH_FIREFOX ?? '/usr/bin/firefox-esr';
/** It knows its browser itself. */
export const webkitDriver = process.env.STEADFETCH_WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver';

export const serverDirectory = inRepository('tests/server');
export const scenariosDirectory = inRepository('tests/scenarios');
/** Rules that both drivers follow, as data. */
export const vectorsDirectory = inRepository('tests/vectors');
/** What `npm ci` has installed. */
export const modulesDirectory = inRepository('node_modules');
export const npmDirectory = inRepository('tests/npm');
export const casesDirectory = join(npmDirectory, 'cases');

/** The file that a condition of the package's `exports` names for `import`. */
export function entry(condition) {
  const { exports } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8'));
  const found = exports['.'][condition];
  return found.default ?? found;
}

/** Where in a browser the cases run: 'window', 'dedicated-worker', 'shared-worker' or 'service-worker'. */
export const place = process.env.STEADFETCH_PLACE ?? 'window';

/** Which form of the engine runs: 'wasm', or the 'javascript' that serves where WebAssembly cannot be had. */
export const engine = process.env.STEADFETCH_ENGINE ?? 'wasm';

/** Whether only the cases run that have a longer form (`full`, its limit), and these in full. */
export const full = Boolean(process.env.STEADFETCH_FULL);

/** Paths of the modules that a case in a browser needs beside its own. */
export const servedModules = () => ({
  client: '/server/client.mjs',
  // Service workers load nothing later.
  package: place === 'service-worker' ? '/pkg/inline.js' : new URL(entry('webpack'), 'http://any/pkg/').pathname,
});

export const fileUrl = (path) => pathToFileURL(path).href;

/** Says at once what is missing, instead of failing in every case. */
export function check() {
  const wanted = {
    'the package (cargo xtask build)': join(packageDirectory, 'package.json'),
    'the fault server (cargo build -p steadfetch-fault-server)': serverBinary,
  };
  for (const [what, path] of Object.entries(wanted)) {
    if (!existsSync(path)) throw new Error(`${what} is not at ${path}`);
  }
}
