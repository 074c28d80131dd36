import { smoke } from '../../smoke/smoke.mjs';

export const dynamic = 'force-dynamic';

export const GET = async (request) => Response.json(await smoke(new URL(request.url).search));
