// The production bundles of the bundlers that most users have.

import { consumer } from './harness/consumer.mjs';
import { inPage } from './harness/page.mjs';
import { inProcess } from './harness/process.mjs';
import { project } from './harness/project.mjs';

const CLASSIC = { classic: true };

const place = await project('bundles');
const esbuild = (entry, format, outfile, ...more) =>
  place.run(place.path('node_modules/esbuild/bin/esbuild'), `src/${entry}`, '--bundle', '--minify', `--format=${format}`, `--outfile=${outfile}`, '--log-level=error', ...more);

consumer('Vite 7, page', async (t) => {
  await place.tool('vite-7', 'build', '--logLevel=error');
  return inPage(t, place.path('dist'));
});

consumer('Vite 7, library for a script tag (iife)', async (t) => {
  await place.tool('vite-7', 'build', '--config=vite.lib.config.mjs', '--logLevel=error');
  return inPage(t, await place.page('dist-lib', CLASSIC));
});

consumer('webpack 5, page', async (t) => {
  await place.tool('webpack-cli', '--config', 'webpack.config.cjs');
  return inPage(t, await place.page('dist-webpack', CLASSIC));
});

consumer('webpack 5, worker', async (t) => {
  await place.tool('webpack-cli', '--config', 'webpack.config.cjs');
  return inPage(t, await place.page('dist-webpack', { script: 'worker.js', classic: true }));
});

consumer('esbuild, iife', async (t) => {
  await esbuild('page.mjs', 'iife', 'dist-esbuild-iife/main.js');
  return inPage(t, await place.page('dist-esbuild-iife', CLASSIC));
});

consumer('esbuild, the inline entry, iife', async (t) => {
  await esbuild('page-inline.mjs', 'iife', 'dist-esbuild-inline/main.js');
  return inPage(t, await place.page('dist-esbuild-inline', CLASSIC));
});

for (const format of ['esm', 'cjs', 'iife']) {
  const file = `dist-esbuild-node/main.${format === 'esm' ? 'mjs' : 'cjs'}`;
  consumer(`esbuild for Node, ${format}`, async (t) => {
    await esbuild('process.mjs', format, file, '--platform=node');
    return inProcess(t, place, place.node, place.path(file));
  });
}
