// The package as its users get it: what `npm pack` packs, unpacked.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * The directory of the unpacked package: what `cargo xtask test` has made, else the tarball of STEADFETCH_TARBALL, else
 * `pkg/`, packed here.
 */
export async function unpackedPackage() {
  if (process.env.STEADFETCH_PKG) return { directory: resolve(process.env.STEADFETCH_PKG), async remove() {} };
  const place = await mkdtemp(join(tmpdir(), 'steadfetch-package-'));
  const unpacked = join(place, 'unpacked');
  await mkdir(unpacked);
  await run('tar', ['-xzf', process.env.STEADFETCH_TARBALL ?? (await pack(place)), '-C', unpacked]);
  return { directory: join(unpacked, 'package'), remove: () => rm(place, { recursive: true }) };
}

async function pack(destination) {
  await run('npm', ['pack', '--loglevel=error', '--pack-destination', destination, join(repository, 'pkg')]);
  const tarball = (await readdir(destination)).find((name) => name.endsWith('.tgz'));
  return join(destination, tarball);
}
