// The process: it gets the query as its last argument, and prints the report.

import { smoke } from './smoke.mjs';

smoke(process.argv.at(-1)).then((report) => console.log(JSON.stringify(report)));
