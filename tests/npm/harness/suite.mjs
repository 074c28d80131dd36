// Registers every case that a host can run as a subtest of its own.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { spawn } from '../../server/client.mjs';
import { AROUND_A_CASE, limitOf } from './limits.mjs';
import {
  casesDirectory, check, engine, fileUrl, full, npmDirectory, packageDirectory, place, scenariosDirectory, serverBinary, vectorsDirectory,
  serverDirectory, servedModules,
} from './places.mjs';
import { serviceWorkerFiles } from './service-worker-files.mjs';

/** How often a case may run until it passes. */
const AGAIN = 2;

/** Cases that measure no time may share the machine with that many others. */
const PARALLEL = 3;

/** Topics about what is loaded, and about traps that only WebAssembly has; a case elsewhere says `wasm` of itself. */
const ABOUT_WASM = ['load.mjs', 'traps.mjs'];

/** Whether a case can run where the cases run this time. */
function isFor(host, topic, { hosts, load, wasm, full: longer }) {
  if (full && !longer) return false;
  if (engine === 'javascript' && (wasm || ABOUT_WASM.includes(topic))) return false;
  if (!(hosts ?? [host]).includes(host)) return false;
  if (place === 'window') return true;
  // What needs a page does not run in Node either.
  const inWorker = hosts?.includes('node') ?? true;
  // Service workers import nothing while they run, and nothing that awaits.
  return inWorker && (place !== 'service-worker' || (load !== false && topic !== 'scenarios.mjs'));
}

/**
 * @param {string} host
 * @param {(server: object) => Promise<{ run: (env: object, signal: AbortSignal) => Promise<object>, close: () => Promise<void> }>} launch
 */
export async function suite(host, launch) {
  const only = process.env.STEADFETCH_CASE && new RegExp(process.env.STEADFETCH_CASE);
  const topics = readdirSync(casesDirectory).filter((file) => file.endsWith('.mjs')).sort();
  const cases = [];
  for (const topic of topics) {
    const { default: found } = await import(fileUrl(join(casesDirectory, topic)));
    for (const one of found) {
      if (isFor(host, topic, one) && (!only || only.test(one.name))) cases.push({ topic, ...one });
    }
  }
  let server;
  let driver;
  let scripts;
  const register = (list, concurrency, title) => describe(title, { concurrency }, () => {
    for (const one of list) {
      const attempt = async (signal) => {
        const options = typeof one.home === 'function' ? one.home({ control: server.control, sink: driver.sink }) : one.home;
        const home = await server.open({
          static: true,
          ...options,
          // A page's own files leave no connection behind that its case would then reuse.
          staticHeaders: { connection: 'close', ...options?.staticHeaders },
        });
        try {
          const env = {
            host,
            full,
            engine,
            topic: one.topic,
            name: one.name,
            control: server.control,
            home: { id: home.id, origin: home.origin, port: home.port },
          };
          return await driver.run(env, signal);
        } finally {
          await home.close();
        }
      };
      it(`${host}: ${one.name}`, { timeout: AGAIN * (limitOf(one, full) + AROUND_A_CASE) }, async (test) => {
        let result = await attempt(test.signal);
        // Real clocks and real sockets on a machine that others use too: what fails twice is wrong, what fails once is
        // told.
        for (let again = 1; !result.ok && again < AGAIN; again++) {
          test.diagnostic(`failed once, run again: ${result.message}`);
          result = await attempt(test.signal);
        }
        if (!result.ok) throw Object.assign(new Error(result.message), { stack: result.stack });
      });
    }
  });
  describe(place === 'window' ? host : `${host}, ${place}`, { concurrency: 1 }, () => {
    before(async () => {
      check();
      const statics = {
        '/pkg': packageDirectory, '/npm': npmDirectory, '/server': serverDirectory, '/scenarios': scenariosDirectory,
        '/vectors': vectorsDirectory,
      };
      if (place === 'service-worker') {
        scripts = serviceWorkerFiles(topics, servedModules());
        statics['/service'] = scripts.directory;
      }
      server = await spawn({ binary: serverBinary, statics });
      driver = await launch(server);
    });
    after(async () => {
      await driver?.close();
      await server?.stop();
      scripts?.remove();
    });
    register(cases.filter((one) => one.parallel), PARALLEL, 'side by side');
    register(cases.filter((one) => !one.parallel), 1, 'one at a time');
  });
}
