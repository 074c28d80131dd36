// The worker: it gets the query, and posts the report.

import { smoke } from './smoke.mjs';

onmessage = ({ data }) => smoke(data).catch((error) => String(error?.stack ?? error)).then((report) => postMessage(report));
