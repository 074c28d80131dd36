// The packed package in Node, as its users use it: by itself, and out of bundles.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import typescript from 'typescript-5-4';

import { application, EXPECTED, project } from './consumers/project.mjs';
import { serve } from './consumers/server.mjs';

const run = promisify(execFile);

/** Runs a script of the project in a process of its own; what it prints, and that it ends by itself. */
const node = (place, script, ...args) => nodeWith([], place, script, ...args);

/** The same with `flags` of Node. */
async function nodeWith(flags, place, script, ...args) {
  const { stdout, stderr } = await run(process.execPath, [...flags, place.path(script), ...args], {
    cwd: place.directory,
    timeout: 30_000,
  });
  assert.equal(stderr, '');
  return stdout.trim();
}

/** A flag, where this Node knows it. */
const ifKnown = (flag) => (process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : []);

const MAIN = `
import { application } from './application.js';
console.log(await application(process.argv[2]));
`;

test('import', async (t) => {
  const place = await project(t, { 'main.js': MAIN });
  const { api } = await serve(t);
  assert.equal(await node(place, 'main.js', api), EXPECTED);
});

test('import of the inline entry', async (t) => {
  const place = await project(t, { 'main.js': MAIN, 'application.js': application('steadfetch/inline') });
  const { api } = await serve(t);
  assert.equal(await node(place, 'main.js', api), EXPECTED);
});

const REQUIRE = application().replace(/import (\{.*\}) from '(.*)'/u, "const $1 = require('$2')").replace('export ', '');
/** Node 20 and older, for which a module is nothing to require. */
const OLD = '--no-experimental-require-module';

for (const entry of ['steadfetch', 'steadfetch/inline', 'steadfetch/js']) {
  test(`require of ${entry}, where Node cannot require a module`, async (t) => {
    const text = REQUIRE.replace("'steadfetch'", `'${entry}'`);
    const place = await project(t, { 'main.cjs': `${text}\napplication(process.argv[2]).then(console.log);` });
    const { api } = await serve(t);
    assert.equal(await nodeWith(ifKnown(OLD), place, 'main.cjs', api), EXPECTED);
  });
}

test('where Node can require a module, require and import give the same one', { skip: !process.features.require_module }, async (t) => {
  const place = await project(t, {
    'main.cjs': "import('steadfetch').then(({ createClient }) => console.log(createClient === require('steadfetch').createClient));",
  });
  assert.match((await run(process.execPath, ['main.cjs'], { cwd: place.directory })).stdout, /^true$/mu);
});

test('what is required tells a refused connection and shares signals silently, like what is imported', async (t) => {
  const place = await project(t, {
    'main.cjs': `
      const { createServer } = require('node:net');
      const { createClient } = require('steadfetch');
      const { signal } = new AbortController();
      const api = createClient({ retry: 0 });
      const server = createServer().listen(0, '127.0.0.1', () => {
        const url = 'http://127.0.0.1:' + server.address().port;
        const call = () => api.post(url, { signal }).text().catch(({ outcome, cause }) => outcome + ' ' + cause?.code);
        const all = () => Promise.all(Array.from({ length: 12 }, call));
        server.close(() => all().then((outcomes) => console.log(new Set(outcomes))));
      });
    `,
  });
  assert.equal(await nodeWith(ifKnown(OLD), place, 'main.cjs'), "Set(1) { 'not-sent ECONNREFUSED' }");
});

test('what is required in another realm leaves nothing behind in the process', async (t) => {
  const place = await project(t, {
    'main.cjs': `
      const { readFileSync } = require('node:fs');
      const { createContext, runInContext } = require('node:vm');
      const { hasSubscribers } = require('node:diagnostics_channel');
      const text = readFileSync(require.resolve('steadfetch'), 'utf8');
      const context = createContext({ module: {} });
      const others = Object.getOwnPropertyNames(globalThis).filter((name) => !runInContext('globalThis', context)[name]);
      for (const name of others) context[name] = globalThis[name];
      runInContext(text, context);
      const fetch = async () => ({ ok: true, status: 200, text: async () => 'from the realm' });
      const subscribed = hasSubscribers('undici:request:headers');
      context.module.exports.createClient({ fetch }).get('http://a.test/').text().then((text) => console.log(text, subscribed));
    `,
  });
  assert.equal(await nodeWith(ifKnown(OLD), place, 'main.cjs'), 'from the realm false');
});

test('the entries for require are strict, and name no module of Node', async (t) => {
  const place = await project(t);
  const directory = place.path('node_modules/steadfetch');
  const files = readdirSync(directory).filter((name) => name.endsWith('.cjs'));
  assert.deepEqual(files.sort(), ['js.cjs', 'opentelemetry.cjs', 'require.cjs', 'testing.cjs']);
  for (const file of files) {
    const text = readFileSync(join(directory, file), 'utf8');
    assert.match(text, /^["']use strict["']/u, file);
    assert.doesNotMatch(text, /\brequire\(|\bimport\(|import\.meta/u, file);
  }
});

test('import() from CommonJS', async (t) => {
  const place = await project(t, {
    'main.cjs': "import('./application.js').then((all) => all.application(process.argv[2])).then(console.log);",
  });
  const { api } = await serve(t);
  assert.equal(await node(place, 'main.cjs', api), EXPECTED);
});

test('Node reads no file and asks for none', async (t) => {
  const place = await project(t, { 'main.js': MAIN });
  for (const file of ['steadfetch_bg.wasm', 'full.js', 'translated.js', 'parts.js', 'writes.js', 'events.js', 'sharing.js']) {
    await rm(place.path(`node_modules/steadfetch/${file}`));
  }
  const { api } = await serve(t);
  assert.equal(await node(place, 'main.js', api), EXPECTED);
});

test('the default entry is one file for any output format', async (t) => {
  const place = await project(t);
  const { exports } = JSON.parse(readFileSync(place.path('node_modules/steadfetch/package.json'), 'utf8'));
  const text = readFileSync(place.path(`node_modules/steadfetch/${exports['.'].default}`), 'utf8');
  // Outside of strings: messages speak of imports too.
  const code = text.replace(/"[^"]*"/gu, '').replace(/'[^']*'/gu, '');
  assert.equal(/\bimport\s*[.({"*]/u.exec(code)?.index, undefined);
});

for (const [source, text] of Object.entries({
  bytes: 'await readFile(file)',
  'a promise of bytes': 'readFile(file)',
  'a module': 'await WebAssembly.compile(await readFile(file))',
  'a Response': "new Response(await readFile(file), { headers: { 'content-type': 'application/wasm' } })",
})) {
  test(`init with ${source}`, async (t) => {
    const place = await project(t, {
      'main.js': `
        import { readFile } from 'node:fs/promises';
        import { init } from 'steadfetch';
        import { application } from './application.js';
        const file = new URL(import.meta.resolve('steadfetch/steadfetch_bg.wasm'));
        await init(${text});
        console.log(await application(process.argv[2]));
      `,
    });
    const { api } = await serve(t);
    assert.equal(await node(place, 'main.js', api), EXPECTED);
  });
}

test('a process with an unread body ends', async (t) => {
  const place = await project(t, {
    'main.js': `
      import { createClient } from 'steadfetch';
      await createClient({ idleTimeout: 600_000 }).fetch(process.argv[2] + 'user');
      console.log('sent');
    `,
  });
  const { api } = await serve(t);
  assert.equal(await node(place, 'main.js', api), 'sent');
});

for (const format of ['esm', 'cjs', 'iife']) {
  test(`esbuild, for Node, ${format}`, async (t) => {
    const place = await project(t, {
      'main.js': "import { application } from './application.js';\napplication(process.argv[2]).then(console.log);",
    });
    const outfile = place.path(format === 'esm' ? 'out/main.mjs' : 'out/main.cjs');
    await build({
      entryPoints: [place.path('main.js')],
      bundle: true,
      platform: 'node',
      format,
      outfile,
      logLevel: 'silent',
    });
    const { api } = await serve(t);
    const { stdout } = await run(process.execPath, [outfile, api], { timeout: 30_000 });
    assert.equal(stdout.trim(), EXPECTED);
  });
}

/** Bundles a script for workerd, and runs it in Node under the rules of workerd. */
async function asInWorkerd(t, script) {
  const rules = await readFile(new URL('./consumers/workerd-like.mjs', import.meta.url), 'utf8');
  const place = await project(t, { 'rules.js': rules, 'main.js': script });
  const outfile = place.path('out/main.mjs');
  await build({
    entryPoints: [place.path('main.js')],
    bundle: true,
    platform: 'neutral',
    external: ['node:*'],
    conditions: ['workerd'],
    format: 'esm',
    outfile,
    logLevel: 'silent',
    plugins: [compiledModules],
  });
  const { stdout } = await run(process.execPath, [outfile], { timeout: 30_000 });
  return stdout.trim();
}

test('workerd: a client is made in the global scope, and its calls work in every request', async (t) => {
  const told = await asInWorkerd(t, `
    import { serve } from './rules.js';
    import { callInfo, createClient } from 'steadfetch';
    const auth = { getToken: () => 'token', refreshToken: () => 'fresh' };
    const api = createClient({ baseUrl: 'https://api.test/', auth, hooks: { afterResponse: [() => {}] } });
    for (const number of [1, 2]) {
      const response = await serve(() => api.get('user'));
      console.log(number, callInfo(response).attempts, await serve(() => api.get('user').text()));
    }
  `);
  assert.equal(told, '1 1 answer\n2 1 answer');
});

test('workerd: a request that ends takes no timer of another request along', async (t) => {
  const told = await asInWorkerd(t, `
    import { serve } from './rules.js';
    import { createClient } from 'steadfetch';
    const api = createClient({ baseUrl: 'https://api.test/', retry: 0 });
    const first = serve(() => api.get('user', { timeout: 100 }).text());
    const second = serve(() => api.get('hang', { timeout: 200 }).text().catch(({ code }) => code));
    console.log(await first, await second);
  `);
  assert.equal(told, 'answer TIMEOUT');
});

test('workerd: calls of one request share a queue', async (t) => {
  const told = await asInWorkerd(t, `
    import { serve } from './rules.js';
    import { createClient } from 'steadfetch';
    const log = [];
    const onEvent = ({ type }) => /attempt/.test(type) && log.push(type);
    const api = createClient({ baseUrl: 'https://api.test/', queue: { concurrency: 1 }, onEvent });
    await serve(async () => {
      const all = [api.get('a').text(), api.get('b').text()];
      await all[1];
      console.log(log.join(' '));
    });
  `);
  assert.equal(told, 'attempt-start attempt-end attempt-start attempt-end');
});

test('workerd: each request refreshes the token for itself', async (t) => {
  const told = await asInWorkerd(t, `
    import { serve } from './rules.js';
    import { createClient } from 'steadfetch';
    const { fetch } = globalThis;
    const guarded = async (url, init) => {
      await fetch(url, init);
      if (url.endsWith('token')) return new Response('fresh');
      return new Response('in', { status: init.headers.get('authorization') === 'Bearer fresh' ? 200 : 401 });
    };
    let refreshes = 0;
    const refreshToken = async (tools) => {
      refreshes++;
      return (await tools.fetch('https://api.test/token')) && 'fresh';
    };
    const api = createClient({ baseUrl: 'https://api.test/', fetch: guarded, auth: { getToken: () => 'stale', refreshToken } });
    const call = () => serve(() => api.get('user').text());
    console.log(await Promise.all([call(), call()]), refreshes);
    console.log(await call(), refreshes);
  `);
  assert.equal(told, "[ 'in', 'in' ] 2\nin 2");
});

/** What workerd does with `import module from './x.wasm'`: a compiled WebAssembly.Module. */
const compiledModules = {
  name: 'compiled modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.wasm$/ }, async ({ path }) => {
      const bytes = JSON.stringify((await readFile(path)).toString('base64'));
      const decode = `Uint8Array.from(atob(${bytes}), (character) => character.charCodeAt(0))`;
      return { contents: `export default new WebAssembly.Module(${decode});`, loader: 'js' };
    });
  },
};

test('the exports are those that are declared', async (t) => {
  const { installed: directory } = await project(t);
  const declared = valuesOf(readFileSync(join(directory, 'index.d.ts'), 'utf8'));
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const entries = [...filesOf(exports['.']), ...filesOf(exports['./inline']), ...filesOf(exports['./js'])];
  for (const entry of new Set(entries)) {
    const place = pathToFileURL(join(directory, entry));
    const found = entry.endsWith('.cjs') ? createRequire(import.meta.url)(fileURLToPath(place)) : await import(place);
    assert.deepEqual(Object.keys(found).sort(), declared, entry);
  }
});

/** The scripts of an entry of `exports`, whatever the condition; workerd's imports what Node cannot. */
function filesOf({ types, workerd, ...conditions }) {
  return Object.values(conditions).flatMap((value) => (typeof value === 'string' ? value : filesOf(value)));
}

const RESOLUTIONS = { node16: 'node16', bundler: 'esnext' };
for (const [moduleResolution, module] of Object.entries(RESOLUTIONS)) {
  test(`TypeScript finds the types of each entry, moduleResolution ${moduleResolution}`, async (t) => {
    const uses = (load) => ['steadfetch', 'steadfetch/inline', 'steadfetch/js', 'steadfetch/opentelemetry', 'steadfetch/testing'].map(load).join('\n');
    const check = 'a0.createClient({ retry: 1 }) satisfies a1.Client;\na2.createClient({ ...a3.instrument({}) });\n';
    const place = await project(t, {
      'main.ts': uses((name, at) => `import * as a${at} from '${name}';`) + `\n${check}`,
      'main.cts': uses((name, at) => `import a${at} = require('${name}');`) + `\n${check}`,
    });
    const files = ['main.ts', ...(moduleResolution === 'node16' ? ['main.cts'] : [])];
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    const compiler = fileURLToPath(new URL('../../node_modules/typescript-5-4/bin/tsc', import.meta.url));
    const args = [...options, '--module', module, '--moduleResolution', moduleResolution, ...files];
    const { stdout } = await run(process.execPath, [compiler, ...args], { cwd: place.directory }).catch((error) => error);
    assert.equal(stdout, '');
  });
}

/** The names of the exported functions and constants of a declaration file. */
function valuesOf(text) {
  const { statements } = typescript.createSourceFile('index.d.ts', text, typescript.ScriptTarget.Latest, true);
  const names = statements.flatMap((node) => {
    if (typescript.isFunctionDeclaration(node)) return [node.name.text];
    if (typescript.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.text);
    return [];
  });
  return [...new Set(names)].sort();
}

test('the optional chunks repeat nothing of the entry that loads them', async (t) => {
  const place = await project(t);
  const [entry, ...chunks] = ['index', 'parts', 'writes', 'events', 'sharing'].map((name) => readFileSync(place.path(`node_modules/steadfetch/${name}.js`), 'utf8'));
  for (const sign of ['WebAssembly', 'steadfetch.error', 'CALLBACK_ERROR', 'minAttemptTime', 'import']) {
    assert.ok(entry.includes(sign), sign);
    for (const chunk of chunks) assert.ok(!chunk.includes(sign), sign);
  }
});

test('no file of the package makes an object only for the effect: bundlers drop it', async (t) => {
  const place = await project(t);
  const directory = place.path('node_modules/steadfetch');
  for (const name of readdirSync(directory).filter((name) => /\.c?js$/u.test(name))) {
    assert.deepEqual(unusedObjects(readFileSync(join(directory, name), 'utf8')), [], name);
  }
});

/** Each `new` expression whose value is not used, as text. */
function unusedObjects(text) {
  const { SyntaxKind: kinds, forEachChild } = typescript;
  const found = [];
  const visit = (node) => {
    // The views of the translated engine have no effect to lose.
    const isView = typescript.isNewExpression(node) && /Array$/u.test(node.expression.getText());
    if (typescript.isNewExpression(node) && !isView && !isUsed(node)) found.push(node.getText());
    forEachChild(node, visit);
  };
  /** Whether the value of an expression goes anywhere. */
  const isUsed = (node) => {
    const { parent } = node;
    if (typescript.isExpressionStatement(parent) || typescript.isVoidExpression(parent)) return false;
    if (typescript.isBinaryExpression(parent)) {
      const isComma = parent.operatorToken.kind === kinds.CommaToken;
      if (isComma && parent.left === node) return false;
      const isPassedOn = [kinds.CommaToken, kinds.BarBarToken, kinds.AmpersandAmpersandToken, kinds.QuestionQuestionToken];
      return parent.right === node && isPassedOn.includes(parent.operatorToken.kind) ? isUsed(parent) : true;
    }
    const isBranch = typescript.isConditionalExpression(parent) && parent.condition !== node;
    return isBranch || typescript.isParenthesizedExpression(parent) ? isUsed(parent) : true;
  };
  visit(typescript.createSourceFile('bundle.js', text, typescript.ScriptTarget.Latest, true));
  return found;
}

test('the version is that of the package', async (t) => {
  const place = await project(t, { 'main.js': "import { version } from 'steadfetch';\nconsole.log(version);" });
  const { version } = JSON.parse(readFileSync(place.path('node_modules/steadfetch/package.json'), 'utf8'));
  assert.equal(await node(place, 'main.js'), version);
});
