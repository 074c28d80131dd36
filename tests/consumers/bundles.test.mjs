// The production bundles of the bundlers that most users have, and the worker of Cloudflare.

import { SPLIT, WHOLE, WITHOUT_WEBASSEMBLY, consumer } from './harness/consumer.mjs';
import { inPage } from './harness/page.mjs';
import { inProcess } from './harness/process.mjs';
import { project } from './harness/project.mjs';
import { vite } from './harness/vite.mjs';
import { inWorkerd } from './harness/workerd.mjs';

const CLASSIC = { classic: true };

const place = await project('bundles', { also: ['vite'] });
const esbuild = (entry, format, outfile, ...more) =>
  place.run(
    place.path('node_modules/esbuild/bin/esbuild'),
    `src/${entry}`,
    '--bundle',
    '--minify',
    '--log-level=error',
    `--format=${format}`,
    `--outfile=${outfile}`,
    ...more,
  );

vite(place, 7);

const webpack = async (t, mode, dist) => {
  await place.tool('webpack-cli', '--config', 'webpack.config.cjs', '--mode', mode, '--output-path', dist);
  return inPage(t, await place.page(dist, CLASSIC));
};

consumer('webpack 5, page', (t) => webpack(t, 'production', 'dist-webpack'), { engines: SPLIT, texts: 'short' });
consumer('webpack 5, page in development', (t) => webpack(t, 'development', 'dist-webpack-development'), { engines: SPLIT, texts: 'long' });

consumer('webpack 5, worker', async (t) => {
  await place.tool('webpack-cli', '--config', 'webpack.config.cjs');
  return inPage(t, await place.page('dist-webpack', { script: 'worker.js', classic: true }));
}, { engines: SPLIT });

// Its resolver takes the condition `production` unless NODE_ENV says otherwise.
consumer('Rollup, esm', async (t) => {
  await place.tool('rollup', '--config', 'rollup.config.mjs', '--silent');
  return inPage(t, await place.page('dist-rollup'));
}, { engines: WHOLE, texts: 'short' });

consumer('Rollup, esm, development', async (t) => {
  await place.with({ NODE_ENV: 'development' }).tool('rollup', '--config', 'rollup.config.mjs', '--silent');
  return inPage(t, await place.page('dist-rollup'));
}, { engines: WHOLE, texts: 'long' });

consumer('Rollup, iife', async (t) => {
  await place.tool('rollup', '--config', 'rollup.iife.config.mjs', '--silent');
  return inPage(t, await place.page('dist-rollup-iife', CLASSIC));
}, { engines: WHOLE, texts: 'short' });

consumer('esbuild, esm', async (t) => {
  await esbuild('page.mjs', 'esm', 'dist-esbuild/main.js');
  return inPage(t, await place.page('dist-esbuild'));
}, { engines: WHOLE });

consumer('esbuild, iife', async (t) => {
  await esbuild('page.mjs', 'iife', 'dist-esbuild-iife/main.js');
  return inPage(t, await place.page('dist-esbuild-iife', CLASSIC));
}, { engines: WHOLE });

consumer('esbuild, the inline entry, iife', async (t) => {
  await esbuild('page-inline.mjs', 'iife', 'dist-esbuild-inline/main.js');
  return inPage(t, await place.page('dist-esbuild-inline', CLASSIC));
}, { engines: WHOLE });

for (const format of ['esm', 'cjs', 'iife']) {
  const file = `dist-esbuild-node/main.${format === 'esm' ? 'mjs' : 'cjs'}`;
  consumer(`esbuild for Node, ${format}`, async (t) => {
    await esbuild('process.mjs', format, file, '--platform=node');
    return inProcess(t, place, place.node, place.path(file));
  }, { engines: WHOLE });
}

// What replaces globals that the package uses: before it is there, and after its first call.
const replaced = (name, entry, engines) =>
  consumer(`${name} the package, page`, async (t) => {
    await esbuild(`${entry}.mjs`, 'esm', `dist-${entry}/main.js`);
    return inPage(t, await place.page(`dist-${entry}`));
  }, { engines });
replaced('zone.js before', 'page-zone', WHOLE);
// The suite sees no engine that was there before it.
replaced('zone.js after', 'page-zone-later', WITHOUT_WEBASSEMBLY);
replaced('a polyfill of fetch before', 'page-polyfill', []);

// The first date at which a worker can make a ReadableStream, and the newest of this workerd.
for (const date of ['2022-11-30', '2026-11-17']) {
  consumer(`workerd, compatibility date ${date}`, async (t) => {
    const options = ['--conditions=workerd,worker,browser', '--loader:.wasm=copy', '--asset-names=[name]'];
    await esbuild('workerd.mjs', 'esm', 'dist-workerd/worker.js', ...options);
    return inWorkerd(t, place, 'dist-workerd', date);
  }, { engines: WHOLE });
}
