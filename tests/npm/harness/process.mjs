// Runs the case that the argument names in a process of a runtime.

import { report } from './report.mjs';

await report(JSON.parse(process.argv[2]));
// Connections that are kept for the next request keep some runtimes from ending.
process.exit();
