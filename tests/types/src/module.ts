import * as main from 'steadfetch';
import * as inline from 'steadfetch/inline';
import { assert, type Equal } from './equal.js';

// The two entries have the same exports and no default one.
assert<Equal<typeof main, typeof inline>>();
// @ts-expect-error - there is no default export
void main.default;

assert<Equal<ReturnType<typeof main.ready>, Promise<void>>>();
void main.init();
void main.init('/steadfetch_bg.wasm');
void main.init(new URL('https://example.test/steadfetch_bg.wasm'));
void main.init(fetch('/steadfetch_bg.wasm'));
void main.init(new Uint8Array());
void main.init(new ArrayBuffer(0));
declare const compiled: WebAssembly.Module;
void main.init(compiled);
// @ts-expect-error - not a source
void main.init(1);

const info = main.callInfo(await fetch('/'));
assert<Equal<typeof info, main.CallInfo | undefined>>();

using api = main.createClient();
api.abortAll();
api.abortAll(new Error('logged out'));
api.close();
