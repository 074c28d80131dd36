// Registers every case that a host can run as a subtest of its own.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { spawn } from '../../server/client.mjs';
import { AROUND_A_CASE, CASE } from './limits.mjs';
import {
  casesDirectory, check, fileUrl, npmDirectory, packageDirectory, scenariosDirectory, serverBinary, serverDirectory,
} from './places.mjs';

/** Cases that measure no time may share the machine with that many others. */
const PARALLEL = 3;

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
      if ((one.hosts ?? [host]).includes(host) && (!only || only.test(one.name))) cases.push({ topic, ...one });
    }
  }
  let server;
  let driver;
  const register = (list, concurrency, title) => describe(title, { concurrency }, () => {
    for (const one of list) {
      it(`${host}: ${one.name}`, { timeout: (one.timeout ?? CASE) + AROUND_A_CASE }, async ({ signal }) => {
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
            topic: one.topic,
            name: one.name,
            control: server.control,
            home: { id: home.id, origin: home.origin, port: home.port },
          };
          const result = await driver.run(env, signal);
          if (!result.ok) throw Object.assign(new Error(result.message), { stack: result.stack });
        } finally {
          await home.close();
        }
      });
    }
  });
  describe(host, { concurrency: 1 }, () => {
    before(async () => {
      check();
      const statics = {
        '/pkg': packageDirectory, '/npm': npmDirectory, '/server': serverDirectory, '/scenarios': scenariosDirectory,
      };
      server = await spawn({ binary: serverBinary, statics });
      driver = await launch(server);
    });
    after(async () => {
      await driver?.close();
      await server?.stop();
    });
    register(cases.filter((one) => one.parallel), PARALLEL, 'side by side');
    register(cases.filter((one) => !one.parallel), 1, 'one at a time');
  });
}
