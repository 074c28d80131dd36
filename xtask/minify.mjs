// Minifies each of the files in place; esbuild has bundled them.
import { readFile, writeFile } from 'node:fs/promises';
import { minify } from 'terser';

const OPTIONS = {
  module: true,
  ecma: 2020,
  compress: { passes: 3 },
  // What tells other people's bundlers to leave an import alone.
  format: { comments: /@vite-ignore|webpackIgnore|turbopackIgnore/ },
};

for (const file of process.argv.slice(2)) {
  const { code } = await minify(await readFile(file, 'utf8'), OPTIONS);
  await writeFile(file, `${code}\n`);
}
