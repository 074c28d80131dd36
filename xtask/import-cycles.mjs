// Fails on an import cycle among the modules of a directory: `node import-cycles.mjs DIRECTORY`. Imports of types are none.

import { readdirSync } from 'node:fs';
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
console.log(`${imports.size} modules, ${cycles.length} import cycles`);
process.exitCode = cycles.length ? 1 : 0;
