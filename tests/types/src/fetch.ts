import { createClient, type ClientResponse, type FetchOptions, type StandardSchemaV1 } from 'steadfetch';
import { assert, type Equal } from './equal.js';

const api = createClient();

// A drop-in: it goes wherever a fetch goes, also without its client.
const dropIn: typeof fetch = api.fetch;
const { fetch: alone } = api;
void dropIn('users');
void alone(new URL('https://example.test/'), { method: 'POST', body: 'text', signal: null });
void api.fetch(new Request('https://example.test/'), { timeout: 100, totalTimeout: false, operation: 'users' });

// Everything that fetch takes, it takes.
assert<RequestInit extends FetchOptions ? true : false>();
const headers: HeadersInit[] = [{ a: 'b' }, [['a', 'b']], new Headers()];
for (const each of headers) void api.fetch('users', { headers: each });

void api.fetch('users', { method: 'POST', json: {} });
void api.fetch('users', { method: 'POST', body: new ReadableStream<Uint8Array>(), duplex: 'half' });
// @ts-expect-error - fetch resolves for every status
void api.fetch('users', { throwHttpErrors: false });
// @ts-expect-error - a call has no base of its own
void api.fetch('users', { baseUrl: 'https://example.test/' });

const response = await api.fetch('users');
assert<Equal<typeof response, ClientResponse>>();
const platform: Response = response;
const value = await response.json();
assert<Equal<typeof value, any>>();
declare const schema: StandardSchemaV1<unknown, number>;
const checked = await response.json(schema);
assert<Equal<typeof checked, number>>();
const copy: ClientResponse = response.clone();
for await (const chunk of response.stream()) assert<typeof chunk extends Uint8Array ? true : false>();
void [platform, copy];
