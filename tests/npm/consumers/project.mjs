// An empty project of somebody else, outside of this repository, with the package as its one dependency.

import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { unpackedPackage } from './package.mjs';

/**
 * What an application does with the package: a GET that works, and one with a hook and a queue, which load more of it. `entry` is `steadfetch`
 * or `steadfetch/inline`.
 */
export const application = (entry = 'steadfetch') => `
import { callInfo, createClient } from '${entry}';

export async function application(baseUrl) {
  const api = createClient({ baseUrl });
  const response = await api.get('user');
  const { via, attempts } = callInfo(response);
  const { name } = await response.json();
  let hooked = '';
  await api.extend({ queue: { concurrency: 6 }, hooks: { afterResponse: [() => { hooked = 'hooked'; }] } }).get('user').json();
  return [name, via, attempts, hooked].join(' ');
}
`;

/** What it then returns. */
export const EXPECTED = 'Ada network 1 hooked';

/** Makes a project; it goes when the test `t` is over. */
export async function project(t, files = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'steadfetch-consumer-'));
  t.after(() => rm(directory, { recursive: true }));
  const { directory: unpacked, remove } = await unpackedPackage();
  const installed = join(directory, 'node_modules/steadfetch');
  await cp(unpacked, installed, { recursive: true });
  await remove();
  const all = { 'package.json': '{ "private": true, "type": "module" }', 'application.js': application(), ...files };
  for (const [name, text] of Object.entries(all)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return { directory, installed, path: (name) => join(directory, name) };
}
