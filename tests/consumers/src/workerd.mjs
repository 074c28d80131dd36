// The Cloudflare worker: each request carries the query, and is answered with the report.

import { createClient, errorInfo } from 'steadfetch';

import { smoke } from './smoke.mjs';

/** As workers have it: one client for all requests, made when the module is. */
const shared = createClient({ timeout: 5_000, queue: { concurrency: 1 } });

/** Calls that the requests of `/shared` make by the same client, one each. */
const call = (url) => shared.get(url).text().catch((error) => errorInfo(error)?.code ?? String(error));

export default {
  async fetch(request) {
    const { pathname, search, searchParams } = new URL(request.url);
    if (pathname === '/shared') return new Response(await call(searchParams.get('url')));
    return Response.json(await smoke(search).catch((error) => String(error?.stack ?? error)));
  },
};
