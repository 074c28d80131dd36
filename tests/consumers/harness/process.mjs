// Consumers that run as a process: they are given the query, and print their report.

import { faults } from './faults.mjs';

/** Runs a program of a project with the query as its last argument. */
export async function inProcess(t, place, program, ...args) {
  const stdout = await place.run(program, ...args, await faults(t));
  const line = stdout.split('\n').find((text) => text.startsWith('{"version"'));
  if (!line) throw new Error(`no report in:\n${stdout}`);
  return { report: JSON.parse(line) };
}
