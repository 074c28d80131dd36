// Runs one case in a thread of Node: a realm of its own, as a page is.

import { parentPort, workerData } from 'node:worker_threads';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');

const { runCase } = await import('./run.mjs');
parentPort.postMessage(await runCase(workerData));
