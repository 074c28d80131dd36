// Every case of cases/ that makes sense outside of a page, in Deno.

import { runtimeDriver, runtimeOf } from './harness/runtime.mjs';
import { suite } from './harness/suite.mjs';

// The fault server's certificate is its own.
await suite('deno', () => runtimeDriver(runtimeOf('@deno', 'deno'), ['run', '-A', '--unsafely-ignore-certificate-errors']));
