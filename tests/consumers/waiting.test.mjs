// Consumers that do not work yet. No run includes them; `cargo xtask test consumers-waiting` shows why.

import { consumer } from './harness/consumer.mjs';
import { inPage } from './harness/page.mjs';
import { project } from './harness/project.mjs';
import { inWorkerd } from './harness/workerd.mjs';

const CLASSIC = { classic: true };

const place = await project('bundles');
const esbuild = (entry, format, outfile, ...more) =>
  place.run(place.path('node_modules/esbuild/bin/esbuild'), `src/${entry}`, '--bundle', '--minify', `--format=${format}`, `--outfile=${outfile}`, '--log-level=error', ...more);

consumer('Vite 7, worker in the default format (iife)', async (t) => {
  await place.tool('vite-7', 'build', '--config=vite.worker.config.mjs', '--logLevel=error');
  return inPage(t, await place.page('dist-worker'));
});

consumer('Rollup, esm', async (t) => {
  await place.tool('rollup', '--config', 'rollup.config.mjs', '--silent');
  return inPage(t, await place.page('dist-rollup'));
});

consumer('Rollup, iife', async (t) => {
  await place.tool('rollup', '--config', 'rollup.iife.config.mjs', '--silent');
  return inPage(t, await place.page('dist-rollup-iife', CLASSIC));
});

consumer('esbuild, esm', async (t) => {
  await esbuild('page.mjs', 'esm', 'dist-esbuild/main.js');
  return inPage(t, await place.page('dist-esbuild'));
});

// The first date at which workers may be modules and have `structuredClone` and the like, and the newest of this workerd.
for (const date of ['2022-03-21', '2026-11-17']) {
  consumer(`workerd, compatibility date ${date}`, async (t) => {
    await esbuild('workerd.mjs', 'esm', 'dist-workerd/worker.js', '--conditions=workerd,worker,browser', '--loader:.wasm=copy', '--asset-names=[name]');
    return inWorkerd(t, place, 'dist-workerd', date);
  });
}
