import { smoke } from '../../smoke/smoke.mjs';

export const runtime = 'edge';

export const GET = async (request) => Response.json(await smoke(new URL(request.url).search));
