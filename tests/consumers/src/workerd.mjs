// The Cloudflare worker: each request carries the query, and is answered with the report.

import { smoke } from './smoke.mjs';

export default {
  async fetch(request) {
    return Response.json(await smoke(new URL(request.url).search).catch((error) => String(error?.stack ?? error)));
  },
};
