// The project of a consumer: a copy of its directory, beside the npm packages of its lock, with the packed package among them.

import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { transform } from 'esbuild';

import { unpackedPackage } from '../../npm/consumers/package.mjs';

const execute = promisify(execFile);
const sources = fileURLToPath(new URL('../', import.meta.url));
const installed = process.env.STEADFETCH_CONSUMERS ?? fileURLToPath(new URL('../../../target/steadfetch/consumers', import.meta.url));

/** Before any tool changes it: the dev server of Vite sets NODE_ENV, which would make a later build one for development. */
const environment = { ...process.env };
/** A build takes no longer than this. */
const LIMIT = 300_000;
/** What npm has put there, and what its own copy must not replace. */
const OF_NPM = ['package.json', 'package-lock.json', 'node_modules'];
/** No tool reports home, and none waits for an answer at a terminal. */
const QUIET = {
  ASTRO_TELEMETRY_DISABLED: '1',
  CI: '1',
  DO_NOT_TRACK: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  NO_COLOR: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
};

/**
 * An installed project, by the name of its directory in tests/consumers.
 * @param {string} name
 * @param {{ smoke?: string, also?: string[], node?: string }} [how] where its sources expect the suite and the entries that run it;
 *   directories of tests/consumers whose files it has too; the Node that it needs, by its name in tests/consumers/runtimes
 */
export async function project(name, { smoke = 'src', also = [], node } = {}) {
  const directory = join(installed, name);
  for (const entry of await readdir(directory)) {
    if (!OF_NPM.includes(entry) && !entry.startsWith('.installed')) await rm(join(directory, entry), { recursive: true });
  }
  for (const source of [name, ...also]) {
    const filter = (path) => !OF_NPM.some((file) => path === join(sources, source, file));
    await cp(join(sources, source), directory, { recursive: true, filter });
  }
  await addPackage(join(directory, 'node_modules/steadfetch'));
  await addSmoke(join(directory, smoke));
  return new Project(directory, node && join(installed, `runtimes/node_modules/${node}/bin/node`));
}

async function addPackage(place) {
  const { directory, remove } = await unpackedPackage();
  await rm(place, { recursive: true, force: true });
  await cp(directory, place, { recursive: true });
  await remove();
}

/** The suite and its entries; the suite on the inline entry, and as CommonJS. */
async function addSmoke(place) {
  await cp(join(sources, 'src'), place, { recursive: true });
  await mkdir(join(place, 'inline'));
  for (const name of ['smoke', 'engines']) {
    const text = await readFile(join(sources, 'src', `${name}.mjs`), 'utf8');
    const { code } = await transform(text, { format: 'cjs', target: 'es2022' });
    await writeFile(join(place, `inline/${name}.mjs`), text.replace("from 'steadfetch'", "from 'steadfetch/inline'"));
    await writeFile(join(place, `${name}.cjs`), code.replace('./engines.mjs', './engines.cjs'));
  }
}

class Project {
  constructor(directory, node = process.execPath, environment = {}) {
    this.directory = directory;
    this.node = node;
    this.environment = environment;
    this.require = createRequire(join(directory, 'package.json'));
  }

  /** The same with more variables in the environment of its programs. */
  with(environment) {
    return new Project(this.directory, this.node, { ...this.environment, ...environment });
  }

  path(name) {
    return join(this.directory, name);
  }

  /** Runs a program of the npm package `name` by Node, as its command line. */
  tool(name, ...args) {
    return this.run(this.node, this.binary(name), ...args);
  }

  /** The file that `npx name` would run; an alias such as vite-7 has one too. */
  binary(name, command) {
    const root = this.path(`node_modules/${name}`);
    const { bin } = this.require(`${root}/package.json`);
    return join(root, typeof bin === 'string' ? bin : (bin[command] ?? Object.values(bin)[0]));
  }

  /** Gives what a program prints; fails with all of its output. */
  async run(program, ...args) {
    try {
      const { stdout } = await execute(program, args, this.options());
      return stdout;
    } catch (error) {
      const { code, killed, stdout, stderr } = error;
      throw new Error(`${program} ${args.join(' ')} ${killed ? 'took too long' : `ended with ${code}`}:\n${stdout}\n${stderr}`);
    }
  }

  /** Writes the page of a bundled script: a module, or a `classic` script. */
  async page(directory, { script = 'main.js', classic = false } = {}) {
    const type = classic ? '' : ' type="module"';
    const text = `<!doctype html>\n<meta charset="utf-8">\n<title>consumer</title>\n<script${type} src="/${script}"></script>\n`;
    await writeFile(this.path(`${directory}/index.html`), text);
    return this.path(directory);
  }

  remove(name) {
    return rm(this.path(name), { recursive: true });
  }

  rename(from, to) {
    return rename(this.path(from), this.path(to));
  }

  options() {
    return { cwd: this.directory, env: { ...environment, ...QUIET, ...this.environment }, timeout: LIMIT, maxBuffer: 2 ** 26 };
  }
}
