import { smoke } from '$lib/smoke.mjs';

export const load = async ({ fetch, url }) => ({ report: await smoke(url.search, { fetch }) });
