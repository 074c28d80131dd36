// Minifies each of the files in place; esbuild has bundled them.
import { readFile, writeFile } from 'node:fs/promises';
import { minify } from 'terser';

/** A new one each time: terser writes into it. */
const options = (file) => ({
  ecma: 2020,
  // Inlined functions with arguments are longer than their calls.
  compress: { passes: 3, inline: 1 },
  // What tells other people's bundlers to leave an import alone.
  format: { comments: /@vite-ignore|webpackIgnore|turbopackIgnore/ },
  // CommonJS keeps its 'use strict'; its outermost names are no more global than those of a module.
  [file.endsWith('.cjs') ? 'toplevel' : 'module']: true,
});

for (const file of process.argv.slice(2)) {
  const { code } = await minify(await readFile(file, 'utf8'), options(file));
  await writeFile(file, `${code}\n`);
}
