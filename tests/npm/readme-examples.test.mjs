// Every TypeScript block of the READMEs and the guides compiles against the declarations, in strict mode.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import typescript from 'typescript-5-4';

const root = fileURLToPath(new URL('../../', import.meta.url));
const declarations = `${root}pkg-template/index.d.ts`;

/** What a reader thinks of as given. */
const GIVEN = `
declare interface User { readonly name: string }
declare interface Order { readonly id: number }
declare interface Hit { readonly title: string }
declare interface Rates { readonly eur: number }
declare const cachedRates: Rates;
declare const signal: AbortSignal;
declare const order: Order;
declare const q: string;
declare const baseUrl: string;
declare const bar: { set(part: number): void };
declare const session: { token: string };
declare const metrics: { record(event: object): void };
declare module '@opentelemetry/api' {
  const context: import('steadfetch/opentelemetry').TelemetryContext;
  const metrics: { getMeter(name: string): import('steadfetch/opentelemetry').TelemetryMeter };
  const trace: import('steadfetch/opentelemetry').TelemetryTrace & {
    getTracer(name: string): import('steadfetch/opentelemetry').TelemetryTracer;
  };
}
declare module 'openai' { export default class { constructor(options: { fetch: typeof fetch }) } }
declare function show(text: string | undefined): void;
declare function log(...what: unknown[]): void;
declare function refresh(): void;
declare function token(): string;
declare function deviceId(): Promise<string>;
declare function csrfOfThePage(): string | null;
declare function write(chunk: Uint8Array): void;
// Next.js adds it to the type of the platform.
declare interface RequestInit { next?: { revalidate?: number; tags?: string[] } }
declare function expect(value: unknown): { toEqual(value: unknown): void; toMatchObject(value: object): void };
declare const vi: { useFakeTimers(): void; useRealTimers(): void; advanceTimersByTimeAsync(span: number): Promise<void> };
declare module 'node:test' {
  const mock: { timers: { enable(options: { apis: string[] }): void; tick(span: number): void } };
}
declare function setImmediate(callback: (value: unknown) => void): void;
`;
const NAMES = ['createClient', 'errorInfo', 'init', 'isHTTPError', 'isSteadfetchError', 'ready'];
const OPTIONS = {
  strict: true,
  noEmit: true,
  target: typescript.ScriptTarget.ESNext,
  module: typescript.ModuleKind.ESNext,
  moduleResolution: typescript.ModuleResolutionKind.Bundler,
  lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: [],
  paths: { steadfetch: [declarations], 'steadfetch/opentelemetry': [`${root}pkg-template/opentelemetry.d.ts`], 'steadfetch/testing': [`${root}pkg-template/testing.d.ts`] },
};

/** A block as a module of its own; what it does not import or make itself is put in front of it. */
function moduleOf(block) {
  const missing = NAMES.filter((name) => !new RegExp(`import \\{[^}]*\\b${name}\\b`, 'u').test(block));
  const client = /\bconst api\b/u.test(block) ? '' : "const api = createClient({ baseUrl: 'https://api.example.test/' });\n";
  return `import { ${missing.join(', ')} } from 'steadfetch';\n${client}${block}\nexport {};\n`;
}

/** What the compiler says of the blocks, each with the code it is about. */
function complaints(blocks) {
  const example = (at) => `${root}example-${at}.ts`;
  const files = new Map([[`${root}given.d.ts`, GIVEN], ...blocks.map((block, at) => [example(at), moduleOf(block)])]);
  const host = typescript.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, target, ...rest) =>
    files.has(name) ? typescript.createSourceFile(name, files.get(name), target) : getSourceFile(name, target, ...rest);
  const program = typescript.createProgram([...files.keys()], OPTIONS, host);
  return typescript.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file?.text.slice(start).split('\n', 1)[0];
    return `${line}: ${typescript.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

const blocksOf = (name) =>
  [...readFileSync(root + name, 'utf8').matchAll(/^```ts\n([^]*?)^```$/gmu)].map(([, block]) => block);

test('the examples of the READMEs and the guides compile', () => {
  const guides = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  const blocks = new Set(['README.md', 'pkg-template/README.md', ...guides].flatMap(blocksOf));
  assert.ok(blocks.size > 20);
  assert.deepEqual(complaints([...blocks]), []);
});

test('an example that is wrong would be found', () => {
  assert.match(complaints(['api.get("users", { timout: 1 });'])[0], /timout/u);
});
