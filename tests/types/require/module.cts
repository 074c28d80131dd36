// `require` has the exports and the types of `import`.

import steadfetch = require('steadfetch');
import inline = require('steadfetch/inline');
import telemetry = require('steadfetch/opentelemetry');
import type * as imported from '../../../pkg-template/index.js' with { 'resolution-mode': 'import' };

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Values<T> = { -readonly [name in keyof T]: T[name] };
const same: Equal<Values<typeof steadfetch>, Values<typeof imported>> = true;
const sameInline: Equal<Values<typeof inline>, Values<typeof imported>> = true;
void [same, sameInline];

const { createClient, HTTPError, isHTTPError } = steadfetch;
const options: steadfetch.ClientOptions = { baseUrl: 'https://api.example.test/', retry: 2 };
const api: imported.Client = createClient(options);
declare const error: unknown;
if (error instanceof HTTPError) void (error.status satisfies number);
if (isHTTPError<{ detail: string }>(error)) void (error.data satisfies { detail: string } | undefined);
declare const refused: steadfetch.SteadfetchError<{ detail: string }>;
void (refused satisfies imported.SteadfetchError<{ detail: string }>);
void api.get('users/1').json<{ name: string }>();
declare const unfinished: telemetry.InstrumentOptions;
createClient({ ...telemetry.instrument(unfinished) });
// @ts-expect-error - there is no default export
void steadfetch.default;
