// A page whose zone.js comes after the package has made its first call.
import { createClient } from 'steadfetch';

const api = new URLSearchParams(location.search).get('api');
await createClient({ baseUrl: api }).get('json').json();
await import('zone.js');
await import('./page.mjs');
