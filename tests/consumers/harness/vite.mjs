// What every supported version of Vite makes, each installed by an alias.

import { pathToFileURL } from 'node:url';

import { SPLIT, WHOLE, consumer } from './consumer.mjs';
import { atServer, inPage } from './page.mjs';

/** Declares the consumers of a major version: its npm package is installed as `vite-VERSION`. */
export function vite(place, version) {
  const name = `vite-${version}`;
  const build = (outDir, ...more) => place.tool(name, 'build', '--logLevel=error', `--outDir=${outDir}`, ...more);

  consumer(
    `Vite ${version}, page`,
    async (t) => {
      await build(`dist-${name}`);
      return inPage(t, place.path(`dist-${name}`));
    },
    { engines: SPLIT, texts: 'short' },
  );

  consumer(`Vite ${version}, library for a script tag (iife)`, async (t) => {
    await build(`dist-${name}-lib`, '--config=vite.lib.config.mjs');
    return inPage(t, await place.page(`dist-${name}-lib`, { classic: true }));
  }, { engines: WHOLE });

  consumer(`Vite ${version}, worker in the default format (iife)`, async (t) => {
    await build(`dist-${name}-worker`, '--config=vite.worker.config.mjs');
    return inPage(t, await place.page(`dist-${name}-worker`));
  }, { engines: SPLIT });

  const serve = async (t) => {
    const { createServer } = await import(pathToFileURL(place.path(`node_modules/${name}/dist/node/index.js`)));
    const server = await createServer({
      root: place.directory,
      configFile: false,
      logLevel: 'error',
      cacheDir: `dist-${name}-cache`,
      server: { host: '127.0.0.1', port: 0, watch: null },
    });
    t.after(() => server.close());
    await server.listen();
    return atServer(t, `http://127.0.0.1:${server.httpServer.address().port}/`);
  };
  consumer(`Vite ${version}, the dev server`, serve, { engines: WHOLE, texts: 'long' });
}
