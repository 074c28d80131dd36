// Consumers that run as a process: they are given the query, and print their report.

import { readFile, rm } from 'node:fs/promises';

import { faults } from './faults.mjs';

/** Runs a program of a project with the query as its last argument. */
export async function inProcess(t, place, program, ...args) {
  const stdout = await place.run(program, ...args, await faults(t));
  const line = stdout.split('\n').find((text) => text.startsWith('{"version"'));
  if (!line) throw new Error(`no report in:\n${stdout}`);
  return { report: JSON.parse(line) };
}

/** Runs the tests of a project by `tool`; one of them writes the report. */
export async function inTests(t, place, tool, ...args) {
  const file = place.path('report.json');
  const output = await place.with({ CONSUMER_QUERY: await faults(t), CONSUMER_REPORT: file }).tool(tool, ...args);
  const text = await readFile(file, 'utf8').catch(() => '');
  if (!text) throw new Error(`no report by:\n${output}`);
  await rm(file);
  return { report: JSON.parse(text) };
}
