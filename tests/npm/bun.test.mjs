// Every case of cases/ that makes sense outside of a page, in Bun.

import { runtimeDriver, runtimeOf } from './harness/runtime.mjs';
import { suite } from './harness/suite.mjs';

await suite('bun', () => runtimeDriver(runtimeOf('@oven', 'bin/bun'), ['run']));
