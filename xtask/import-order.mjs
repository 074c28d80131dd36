// Fails on an import cycle among the modules of a directory, and on an import from a group of modules above: `node import-order.mjs
// DIRECTORY PAGE`. The page has a table of the groups, the highest first. Imports of types are none.

import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { build } from 'esbuild';

const directory = resolve(process.argv[2]);
const entryPoints = readdirSync(directory, { recursive: true })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => join(directory, name));

const { metafile } = await build({
  entryPoints,
  bundle: true,
  format: 'esm',
  metafile: true,
  write: false,
  outdir: 'unused',
  logLevel: 'error',
  external: ['node:*'],
  plugins: [
    {
      // What the build adds to the modules.
      name: 'built',
      setup: ({ onResolve }) => onResolve({ filter: /\/(full|lean|translated)\.js$|\.wasm$/ }, () => ({ external: true })),
    },
  ],
});

const imports = new Map(
  Object.entries(metafile.inputs).map(([path, { imports }]) => [path, imports.filter(({ external }) => !external).map((one) => one.path)]),
);

/** Paths from a module back to itself, each found once (Tarjan's strongly connected components). */
function components() {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (module) => {
    index.set(module, index.size);
    low.set(module, index.get(module));
    stack.push(module);
    for (const next of imports.get(module)) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(module, Math.min(low.get(module), low.get(next)));
    }
    if (low.get(module) === index.get(module)) found.push(stack.splice(stack.indexOf(module)));
  };
  for (const module of imports.keys()) if (!index.has(module)) visit(module);
  return found.filter(([first, ...rest]) => rest.length || imports.get(first).includes(first));
}

const name = (path) => relative(directory, resolve(path));
const cycles = components();
for (const component of cycles) {
  console.error(`import cycle among ${component.length} modules:`);
  for (const module of component) {
    const within = imports.get(module).filter((next) => component.includes(next));
    console.error(`  ${name(module)} -> ${within.map(name).join(', ')}`);
  }
}

/** The number of the group of each module that the table names: the first names in a row, and those that follow. */
const rows = readFileSync(process.argv[3], 'utf8')
  .split('| group | modules |')[1]
  .split('\n\n')[0]
  .split('\n')
  .slice(2);
const isModule = (word) => imports.has(relative('.', join(directory, `${word}.ts`)));
const groups = new Map(
  rows.flatMap((row, number) => [...row.split('|')[2].matchAll(/`([^`]+)`/g)].map(([, word]) => [word, number])).filter(([word]) => isModule(word)),
);
const upward = [];
for (const [module, found] of imports) {
  const group = groups.get(name(module).replace('.ts', ''));
  for (const next of found) if (groups.get(name(next).replace('.ts', '')) < group) upward.push(`${name(module)} -> ${name(next)}`);
}
const free = [...imports.keys()].map((module) => name(module).replace('.ts', '')).filter((module) => !groups.has(module));
if (free.length) console.log(`in no group of ${process.argv[3]}: ${free.join(', ')}`);
if (!groups.size) upward.push(`no groups in ${process.argv[3]}`);
for (const one of upward) console.error(`imports from a group above: ${one}`);

console.log(`${imports.size} modules, ${groups.size} in groups, ${cycles.length} import cycles, ${upward.length} imports from above`);
process.exitCode = cycles.length + upward.length ? 1 : 0;
