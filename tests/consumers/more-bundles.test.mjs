// The production bundles of other bundlers, and of other versions of Vite.

import { SPLIT, WHOLE, consumer } from './harness/consumer.mjs';
import { inPage } from './harness/page.mjs';
import { inProcess } from './harness/process.mjs';
import { project } from './harness/project.mjs';
import { vite } from './harness/vite.mjs';

const CLASSIC = { classic: true };

const place = await project('more-bundles', { also: ['vite'] });

for (const version of [5, 6, 8]) vite(place, version);

consumer('Rspack, page', async (t) => {
  await place.tool('@rspack/cli', 'build', '--config', 'rspack.config.cjs');
  return inPage(t, await place.page('dist-rspack', CLASSIC));
}, { engines: SPLIT });

consumer('Rspack, worker', async (t) => inPage(t, await place.page('dist-rspack', { ...CLASSIC, script: 'worker.js' })), { engines: SPLIT });

for (const page of ['index', 'worker']) {
  consumer(`Parcel, ${page === 'index' ? 'page' : 'worker'}`, async (t) => {
    const directory = `dist-parcel-${page}`;
    await place.tool('parcel', 'build', `${page}.html`, '--dist-dir', directory, '--no-cache', '--no-source-maps', '--log-level', 'error');
    if (page !== 'index') await place.rename(`${directory}/${page}.html`, `${directory}/index.html`);
    return inPage(t, place.path(directory));
  }, { engines: WHOLE });
}

const bun = (entry, ...args) => place.run(place.require.resolve('@oven/bun-linux-x64/bin/bun'), 'build', `src/${entry}`, '--minify', ...args);

for (const format of ['esm', 'iife']) {
  consumer(`Bun build, ${format}`, async (t) => {
    await bun('page.mjs', `--format=${format}`, `--outfile=dist-bun-${format}/main.js`);
    return inPage(t, await place.page(`dist-bun-${format}`, { classic: format === 'iife' }));
  }, { engines: WHOLE });
}

consumer('Bun build for Node', async (t) => {
  await bun('process.mjs', '--target=node', '--outfile=dist-bun-node/main.mjs');
  return inProcess(t, place, place.node, place.path('dist-bun-node/main.mjs'));
}, { engines: WHOLE });
