// Where the time of a call goes: a CPU profile of the product alone.

import { writeFile } from 'node:fs/promises';

import { inPage } from './browser.mjs';

/** Microseconds between two samples. */
const INTERVAL = 100;
const SHOWN = 40;

/** @returns {Promise<string>} the functions that took most, without what they called */
export async function profile(page, plan, file) {
  const session = await page.context().newCDPSession(page);
  const names = ['steadfetch get'];
  await inPage(page, 'stubbed', { ...plan, names });
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: INTERVAL });
  await session.send('Profiler.start');
  await inPage(page, 'stubbed', { ...plan, names });
  const { profile: taken } = await session.send('Profiler.stop');
  await writeFile(file, JSON.stringify(taken));
  return top(taken);
}

function top({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const own = new Map();
  samples.forEach((id, at) => {
    const { functionName, url, lineNumber, columnNumber } = byId.get(id);
    const key = `${functionName || '(anonymous)'} ${url.split('/').pop()}:${lineNumber + 1}:${columnNumber + 1}`;
    own.set(key, (own.get(key) ?? 0) + timeDeltas[at]);
  });
  const all = [...own.values()].reduce((sum, time) => sum + time, 0);
  return [...own]
    .sort(([, left], [, right]) => right - left)
    .slice(0, SHOWN)
    .map(([key, time]) => `${((100 * time) / all).toFixed(1).padStart(5)} %  ${key}`)
    .join('\n');
}
