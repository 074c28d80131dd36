// Runs the case that its URL says, in a service worker. These import nothing while they run: what a case needs is handed over.

import { runCase } from './run.mjs';
import { report } from './report.mjs';

export function serve(modules) {
  const env = JSON.parse(new URLSearchParams(globalThis.location.search).get('env'));
  // A service worker lives as long as an event of it does. While it is being installed, Chromium sends few of its requests at once.
  globalThis.addEventListener('activate', (event) => event.waitUntil(report(env, { runCase, modules })));
}
