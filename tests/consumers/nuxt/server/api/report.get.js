import { smoke } from '../../smoke/smoke.mjs';

export default defineEventHandler((event) => smoke(getRequestURL(event).search));
