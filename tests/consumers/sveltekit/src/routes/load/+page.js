// SvelteKit's own fetch: on the server it gives a Proxy around the Response, which keeps what is read for the page.

import { browser } from '$app/environment';
import { smoke } from '$lib/smoke.mjs';

export const load = async ({ fetch, url }) => ({ report: browser ? undefined : await smoke(url.search, { fetch }) });
