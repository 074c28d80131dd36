// What is written by hand says what the tables of the engine say: the declarations, and the tables of both READMEs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import typescript from 'typescript-5-4';

const root = new URL('../../', import.meta.url);
const read = (name) => readFileSync(new URL(name, root), 'utf8');
const READMES = ['README.md', 'pkg-template/README.md'];

/** The cells of the table rows whose first cell is code, without the marks. */
function rows(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(1, -1).split(/(?<!\\)\|/u))
    .map((cells) => cells.map((cell) => cell.replaceAll('`', '').trim()));
}

/** What stands between `<!-- name -->` and `<!-- /name -->`. */
function block(text, name) {
  const [, found] = text.match(new RegExp(`<!-- ${name} -->\n([^]*?)<!-- /${name} -->`, 'u')) ?? [];
  assert.ok(found, `a block ${name}`);
  return found;
}

function parse(name) {
  const target = typescript.ScriptTarget.Latest;
  return typescript.createSourceFile(name, read(`pkg-template/${name}`), target, true).statements;
}

/** The members of an interface: name and JSDoc. */
function members(file, name) {
  const found = parse(file).find((node) => typescript.isInterfaceDeclaration(node) && node.name.text === name);
  assert.ok(found, `interface ${name} in ${file}`);
  return found.members.map((member) => ({ name: member.name.getText(), doc: member.jsDoc?.at(-1) }));
}

/** The words of a union of strings. */
function union(file, name) {
  const found = parse(file).find((node) => typescript.isTypeAliasDeclaration(node) && node.name.text === name);
  return found.type.types.map((member) => member.literal.text);
}

const defaultOf = ({ doc }) => doc?.tags?.find((tag) => tag.tagName.text === 'default')?.comment?.trim();
// Both pages are generated from the engine's tables, whole; the facade's own copy leaves out what no call says yet.
const errors = read('docs/errors.md');
const codes = rows(errors).map(([code, name]) => [code, name]);
const words = (field) => [...errors.split(`\`${field}\` is one of:`)[1].split('\n## ')[0].matchAll(/^- `(.*)`$/gmu)].map(([, word]) => word);
const options = new Map(rows(read('docs/options.md')).map(([name, , value, where]) => [name, { value, where }]));

test('every option is declared where it may be given, with its default', () => {
  const time = members('options.d.ts', 'TimeOptions');
  const common = [...time, ...members('options.d.ts', 'CommonOptions')];
  const client = members('options.d.ts', 'ClientOptions');
  const call = members('options.d.ts', 'CallOptions');
  const group = (name, file, type) => members(file, type).map((member) => ({ ...member, name: `${name}.${member.name}` }));
  const retry = group('retry', 'retry.d.ts', 'RetryOptions');
  const groups = [
    ...group('auth', 'auth.d.ts', 'AuthOptions'),
    ...group('queue', 'protection.d.ts', 'QueueOptions'),
    ...group('circuitBreaker', 'protection.d.ts', 'CircuitBreakerOptions'),
    ...group('retryBudget', 'protection.d.ts', 'RetryBudgetOptions'),
  ];
  const declared = { 'client, call': [...common, ...retry, ...group('outcomeLookup', 'options.d.ts', 'OutcomeLookupOptions')], client: [...client, ...groups], call };
  for (const [name, { value, where }] of options) {
    const member = declared[where].find((each) => each.name === name);
    assert.ok(member, `${name} is declared for ${where}`);
    assert.equal(defaultOf(member), value, `@default of ${name}`);
  }
  const known = new Set([...options.keys(), 'body', 'duplex']);
  const extra = Object.values(declared).flat().filter(({ name }) => !known.has(name));
  assert.deepEqual(extra, [], 'nothing is declared that the engine does not know');
});

test('every member that users see has a doc comment', () => {
  const missing = [];
  for (const file of ['auth.d.ts', 'client.d.ts', 'errors.d.ts', 'events.d.ts', 'hooks.d.ts', 'index.d.ts', 'options.d.ts', 'protection.d.ts', 'retry.d.ts']) {
    for (const node of parse(file)) {
      if (typescript.isImportDeclaration(node) || typescript.isExportDeclaration(node)) continue;
      if (!node.jsDoc) missing.push(`${file}: ${node.getText().split('\n')[0]}`);
    }
  }
  for (const [file, name] of [
    ['auth.d.ts', 'AuthOptions'],
    ['auth.d.ts', 'AuthContext'],
    ['client.d.ts', 'Client'],
    ['errors.d.ts', 'ErrorInfo'],
    ['options.d.ts', 'CommonOptions'],
    ['options.d.ts', 'ClientOptions'],
    ['options.d.ts', 'CallOptions'],
    ['protection.d.ts', 'QueueOptions'],
    ['protection.d.ts', 'CircuitBreakerOptions'],
    ['protection.d.ts', 'RetryBudgetOptions'],
    ['protection.d.ts', 'ScopeOptions'],
    ['retry.d.ts', 'RetryOptions'],
    ['hooks.d.ts', 'Hooks'],
    ['response.d.ts', 'ResponsePromise'],
    ['response.d.ts', 'CallInfo'],
  ]) {
    missing.push(...members(file, name).filter(({ doc }) => !doc).map((member) => `${name}.${member.name}`));
  }
  assert.deepEqual(missing, []);
});

test('every code, phase, outcome and stop is declared', () => {
  const declared = new Map();
  for (const node of parse('errors.d.ts')) {
    const text = (name) => {
      const { type } = node.members?.find((member) => member.name.getText() === name) ?? {};
      return (type?.types ?? [type]).filter(Boolean).map(({ literal }) => literal?.text);
    };
    for (const code of text('code').filter(Boolean)) declared.set(code, text('name')[0]);
  }
  assert.deepEqual([...declared].sort(), codes.toSorted());
  assert.deepEqual(union('errors.d.ts', 'Phase').sort(), words('error.phase').sort());
  assert.deepEqual(union('errors.d.ts', 'Outcome').sort(), words('error.outcome').sort());
  assert.deepEqual(union('errors.d.ts', 'RetryStopped').sort(), words('error.retryStopped').sort());
});

for (const name of READMES) {
  test(`${name} has every option with its default and place`, () => {
    const told = rows(block(read(name), 'options')).map(([option, , value, where]) => [option, { value, where }]);
    assert.deepEqual(new Map(told), options);
  });

  test(`${name} has every error code with its name`, () => {
    const told = rows(block(read(name), 'codes')).map(([code, errorName]) => [code, errorName]);
    assert.deepEqual(told.sort(), codes.toSorted());
  });
}

test('the guide of the npm page is the guide of the repository', () => {
  const sections = (name) => read(name).split(/^(?=## )/mu).slice(1);
  const here = sections('README.md');
  for (const section of sections('pkg-template/README.md')) {
    if (!section.startsWith('## Support')) assert.ok(here.includes(section), section.split('\n', 1)[0]);
  }
});
