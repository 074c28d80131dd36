import { createClient, type CoveredResponse, type ResponsePromise, type StandardSchemaV1 } from 'steadfetch';
import { assert, type Equal } from './equal.js';

interface User {
  readonly name: string;
}
const api = createClient({ baseUrl: new URL('https://example.test/') });
const { get, post, put, patch, delete: remove, head, query, fetch: bound } = api;
void [get, post, put, patch, remove, head, query, bound];

const promise = api.get('users/1');
assert<Equal<typeof promise, ResponsePromise<unknown>>>();
const real: Promise<Response> = promise;
const response = await promise;
assert<Equal<typeof response, CoveredResponse>>();
void real;

// What json() gives: unknown until somebody says what it is.
assert<Equal<Awaited<ReturnType<typeof promise.json>>, unknown>>();
const said = await api.get('users/1').json<User>();
assert<Equal<typeof said, User>>();
const saidBefore = await api.get<User>('users/1').json();
assert<Equal<typeof saidBefore, User>>();

// A schema says it best, and a transforming one says what comes out.
declare const schema: StandardSchemaV1<{ born: string }, { born: Date }>;
const checked = await api.get('users/1').json(schema);
assert<Equal<typeof checked, { born: Date }>>();
const checkedResult = await api.get('users/1').result(schema);
if (checkedResult.success) assert<Equal<typeof checkedResult.data, { born: Date }>>();
// @ts-expect-error - not a schema
void api.get('users/1').json({ parse: (value: unknown) => value });

// The shape that schema libraries have: classes with more members, and an optional `types`.
class Schema<Input, Output> {
  readonly kind = 'object';
  declare readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'some';
    readonly types?: { readonly input: Input; readonly output: Output };
    readonly validate: (
      value: unknown,
      options?: { readonly libraryOptions?: Record<string, unknown> },
    ) => { readonly value: Output } | { readonly issues: ReadonlyArray<{ readonly message: string }> };
  };
}
const some = await api.get('users/1').json(new Schema<string, number>());
assert<Equal<typeof some, number>>();

// The other readers.
assert<Equal<Awaited<ReturnType<typeof promise.text>>, string>>();
assert<Awaited<ReturnType<typeof promise.bytes>> extends Uint8Array ? true : false>();
assert<Equal<Awaited<ReturnType<typeof promise.arrayBuffer>>, ArrayBuffer>>();
assert<Equal<Awaited<ReturnType<typeof promise.blob>>, Blob>>();
assert<Equal<Awaited<ReturnType<typeof promise.formData>>, FormData>>();
const stream: ReadableStream<Uint8Array> = api.get('log').stream();
for await (const chunk of api.get('log').stream()) assert<typeof chunk extends Uint8Array ? true : false>();
void stream.pipeTo(new WritableStream());

// Bodies.
void api.post('users', { json: { name: 'a' } });
void api.post('users', { json: undefined });
void api.post('users', { form: { name: 'a', age: 3, admin: false, nick: undefined } });
void api.post('users', { form: [['name', 'a'], ['name', 'b']] });
void api.post('users', { body: new FormData(), idempotent: true });
void api.put('file', { body: () => new ReadableStream<Uint8Array>() });
void api.get('users', { searchParams: { page: 2, all: true, filter: undefined } });
void api.query('users', { json: { name: 'a' }, operation: 'find users' });
// @ts-expect-error - an object is no parameter
void api.get('users', { searchParams: { page: {} } });
