// The check of the facade's imports finds what it is for.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';

const script = fileURLToPath(new URL('../../xtask/import-order.mjs', import.meta.url));
const place = await mkdtemp(join(tmpdir(), 'steadfetch-imports-'));
after(() => rm(place, { recursive: true }));

/** Runs the check over modules with these imports, in these groups. */
async function check(name, imports, groups) {
  const directory = join(place, name);
  await mkdir(directory);
  for (const [module, text] of Object.entries(imports)) await writeFile(join(directory, `${module}.ts`), `${text}\nexport const ${module} = 1;\n`);
  const page = join(place, `${name}.md`);
  await writeFile(page, `| group | modules |\n|---|---|\n${groups.map((group) => `| x | ${group} |`).join('\n')}\n\nmore\n`);
  const { status, stderr } = spawnSync(process.execPath, [script, directory, page], { encoding: 'utf8' });
  return { status, stderr };
}

const use = (name) => `import { ${name} } from './${name}.js';\nconsole.log(${name});`;

test('a module may import one of its own group, and one of a group below', async () => {
  const { status, stderr } = await check('good', { top: use('middle'), middle: use('low'), low: '' }, ['`top`', '`middle`, `low`']);
  assert.equal(status, 0, stderr);
});

test('a cycle over several modules fails, and names them', async () => {
  const { status, stderr } = await check('cycle', { one: use('two'), two: use('three'), three: use('one') }, ['`one`, `two`, `three`']);
  assert.equal(status, 1);
  assert.match(stderr, /one\.ts -> two\.ts/u);
  assert.match(stderr, /three\.ts -> one\.ts/u);
});

test('an import of a type makes no cycle', async () => {
  const types = `import type { two } from './two.js';\nexport type Two = typeof two;`;
  const { status, stderr } = await check('types', { one: types, two: use('one') }, ['`two`', '`one`']);
  assert.equal(status, 0, stderr);
});

test('an import from a group above fails, and names both modules', async () => {
  const { status, stderr } = await check('upward', { top: '', low: use('top') }, ['`top`', '`low`']);
  assert.equal(status, 1);
  assert.match(stderr, /low\.ts -> top\.ts/u);
});

test('a page without a table of groups fails', async () => {
  const { status } = await check('empty', { one: '' }, []);
  assert.equal(status, 1);
});
