// The same measurement in Node: its fetch is another one, and so are its Response and its timers.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { contestants } from './contestants/index.js';
import { duties } from './duties.js';
import { measure } from './rounds.js';

export async function inNode(packagePath, plan) {
  const { exports } = JSON.parse(await readFile(join(packagePath, 'package.json'), 'utf8'));
  const product = await import(pathToFileURL(join(packagePath, exports['.'].node.default)));
  await product.ready();
  const all = contestants(product);
  return { version: `Node ${process.versions.node}`, duties: await duties(all), times: await measure(all, plan) };
}
