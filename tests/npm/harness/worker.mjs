// Runs the case that its name says, as a dedicated or shared worker.

import { report } from './report.mjs';

await report(JSON.parse(globalThis.name));
