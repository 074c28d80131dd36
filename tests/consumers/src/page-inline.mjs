// The page on the inline entry: it runs the suite, and leaves the report where the harness looks for it.

import { smoke } from './inline/smoke.mjs';

smoke(location.search).then(
  (report) => {
    globalThis.result = report;
  },
  (error) => {
    globalThis.result = String(error?.stack ?? error);
  },
);
