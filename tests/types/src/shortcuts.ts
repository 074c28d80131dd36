import { createClient, type ClientResponse, type ResponsePromise, type Result, type StandardSchemaV1 } from 'steadfetch';
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
assert<Equal<typeof response, ClientResponse>>();
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

// What json() gives is said once, where one likes.
interface ApiError {
  readonly detail: string;
}
assert<Equal<Awaited<ReturnType<(typeof promise)['json']>>, unknown>>();
const typed = await api.get<User>('users/1');
// Its readers take another type all the same.
const retyped = await (await api.get<User>('users/1')).json<{ readonly id: number }>();
assert<Equal<typeof retyped, { readonly id: number }>>();
const ofTyped = await typed.json();
assert<Equal<typeof ofTyped, User>>();
const ofCopy = await typed.clone().json();
assert<Equal<typeof ofCopy, User>>();
const saidOnResponse = await (await api.get('users/1')).json<User>();
assert<Equal<typeof saidOnResponse, User>>();
const saidOnFetch = await (await api.fetch('users/1')).json<User>();
assert<Equal<typeof saidOnFetch, User>>();
const anyAsFetch = await (await api.get('users/1')).json();
assert<Equal<typeof anyAsFetch, any>>();
const checkedTyped = await typed.json(schema);
assert<Equal<typeof checkedTyped, { born: Date }>>();
const asPlatform: Response = typed;
void asPlatform;

// And what the body of an error is.
const failed = await api.get('users/1').result<User, ApiError>();
if (failed.success) assert<Equal<typeof failed.data, User>>();
else if (failed.error.code === 'HTTP_ERROR') assert<Equal<typeof failed.error.data, ApiError | undefined>>();
const failedSchema = await api.get('users/1').result<typeof schema, ApiError>(schema);
if (!failedSchema.success && failedSchema.error.code === 'HTTP_ERROR') assert<Equal<typeof failedSchema.error.data, ApiError | undefined>>();
assert<Equal<Result<User>, Result<User, unknown>>>();

// The client itself, and any method.
const { request, options } = api;
const calledTyped = await api<User>('users/1', { timeout: 100 }).json();
assert<Equal<typeof calledTyped, User>>();
assert<Equal<ReturnType<typeof api>, ResponsePromise<unknown>>>();
void [api.extend({})('users/1'), api.scope()('users/1'), request('users', { method: 'PURGE' }), options('users')];

// Bodies.
void api.post('users', { json: { name: 'a' } });
void api.post('users', { json: undefined });
void api.post('users', { form: { name: 'a', age: 3, admin: false, nick: undefined } });
void api.post('users', { form: [['name', 'a'], ['name', 'b']] });
void api.post('users', { body: new FormData(), idempotent: true });
void api.put('file', { body: () => new ReadableStream<Uint8Array>() });
void api.get('users', { searchParams: { page: 2, all: true, filter: undefined } });
void api.query('users', { json: { name: 'a' }, operation: 'find users' });

// Parameters: interfaces and classes of one's own, lists, dates.
interface Page {
  page: number;
  tags?: string[];
  from: Date | null;
}
declare const page: Page;
class Search {
  q = 'tea';
}
void api.get<User>('users', { searchParams: page });
void api.post<User>('users', { form: page });
void api.get('users', { searchParams: new Search() });
void api.get('users', { searchParams: { ids: [1, 2n, 'c'], from: new Date(), home: new URL('https://a.test'), none: null, nothing: undefined } });
void api.get('users', { searchParams: [['q', 'a'], ['q', 1], ['ids', [1, 2]], ['none', null]] });
void api.get('users', { searchParams: new Map([['q', 'a']]) });
void api.get('users', { searchParams: new URLSearchParams('q=a') });
void api.get('users', { searchParams: Object.entries({ q: 1 }) });
for (const text of ['q=a', undefined]) void api.get('users', { searchParams: text });
// @ts-expect-error - a function is no parameter
void api.get('users', { searchParams: { page: () => 1 } });
// @ts-expect-error - neither is a symbol
void api.get('users', { searchParams: { page: Symbol('a') } });
// @ts-expect-error - nor a list of objects
void api.get('users', { searchParams: { page: [{}] } });
// @ts-expect-error - nor one in pairs
void api.get('users', { searchParams: [['page', {}]] });
// @ts-expect-error - a number has no parameters
void api.get('users', { searchParams: 5 });
// @ts-expect-error - null has none
void api.get('users', { searchParams: null });
// @ts-expect-error - an object is no field of a form
void api.post('users', { form: { page: {} } });
// @ts-expect-error - a form is no text
void api.post('users', { form: 'page=1' });
// @ts-expect-error - an object is no parameter
void api.get('users', { searchParams: { page: {} } });
