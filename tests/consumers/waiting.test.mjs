// Consumers that do not work yet. No run includes them; `cargo xtask test consumers-waiting` shows why.

import { consumer } from './harness/consumer.mjs';
import { inPage } from './harness/page.mjs';
import { inTests } from './harness/process.mjs';
import { project } from './harness/project.mjs';
import { viteOthers } from './harness/vite.mjs';

const CLASSIC = { classic: true };

const place = await project('bundles', { also: ['vite'] });
const more = await project('more-bundles', { also: ['vite'] });
const esbuild = (entry, format, outfile, ...more) =>
  place.run(place.path('node_modules/esbuild/bin/esbuild'), `src/${entry}`, '--bundle', '--minify', `--format=${format}`, `--outfile=${outfile}`, '--log-level=error', ...more);

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

viteOthers(place, 7);
for (const version of [5, 6]) viteOthers(more, version);

const bun = (entry, ...args) => more.run(more.require.resolve('@oven/bun-linux-x64/bin/bun'), 'build', `src/${entry}`, '--minify', ...args);

for (const format of ['esm', 'iife']) {
  consumer(`Bun build, ${format}`, async (t) => {
    await bun('page.mjs', `--format=${format}`, `--outfile=dist-bun-${format}/main.js`);
    return inPage(t, await more.page(`dist-bun-${format}`, { classic: format === 'iife' }));
  });
}

const angular = await project('angular', { smoke: 'src/smoke' });

consumer('Angular, page', async (t) => {
  await angular.tool('@angular/cli', 'build');
  return inPage(t, angular.path('dist/browser'));
});

// All checks pass, but happy-dom reports an unhandled error where the server cuts the connection of a body.
const vitest = await project('vitest');

consumer('Vitest, happy-dom', (t) => inTests(t, vitest, 'vitest', 'run', '--environment=happy-dom', '--reporter=dot'));
