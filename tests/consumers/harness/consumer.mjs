// A test for each consumer, with one subtest for each check of the smoke suite.

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** The engines that serve the smoke suite, by the entry: whole ones hold the full engine alone, the others load it when a client needs it. */
export const WHOLE = ['full wasm'];
export const SPLIT = ['lean wasm', 'full wasm'];
export const WITHOUT_WEBASSEMBLY = ['no WebAssembly'];

/**
 * Declares a consumer.
 * @param {string} name
 * @param {(t: object) => Promise<{ report: object, missing?: string[], files?: string[] }>} run builds the consumer and runs it
 * @param {{ engines: string[], texts?: 'short' | 'long' }} expected the engines that serve it, and whether its messages say what to do next
 */
export function consumer(name, run, expected) {
  test(name, (t) => judge(t, run, expected));
}

/** Runs consumers that one build makes, as subtests of the test that has built them. `engines`: by their names, those that serve them. */
export async function consumers(t, runs, engines) {
  for (const [name, run] of Object.entries(runs)) await t.test(name, (t) => judge(t, run, { engines: engines[name] }));
}

async function judge(t, run, { engines, texts }) {
  const { report, missing = [], files = [] } = await run(t);
  t.diagnostic(`${t.name}: ${report.engines.join(' and ')}${files.length ? `, from ${files.join(', ')}` : ''}`);
  for (const { name, ok, message } of report.results) await t.test(name, () => assert.ok(ok, message));
  await t.test('no request is answered 404', () => assert.deepEqual(missing, []));
  await t.test('the engine is the expected one', () => assert.deepEqual(report.engines, engines));
  if (texts) await t.test(`the messages are ${texts}`, () => assert.equal(report.texts, texts));
}
