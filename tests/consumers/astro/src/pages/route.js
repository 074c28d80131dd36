import { smoke } from '../lib/smoke.mjs';

export const GET = async ({ url }) => Response.json(await smoke(url.search));
