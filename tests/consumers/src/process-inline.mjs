// The process on the inline entry: it gets the query as its last argument, and prints the report.

import { smoke } from './inline/smoke.mjs';

smoke(process.argv.at(-1)).then((report) => console.log(JSON.stringify(report)));
