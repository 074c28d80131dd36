// Consumers that do not work yet. No run includes them; `cargo xtask test consumers-waiting` shows why.

import { WHOLE, consumer } from './harness/consumer.mjs';
import { inTests } from './harness/process.mjs';
import { project } from './harness/project.mjs';

// All checks pass, but when a connection closes after an abort, happy-dom 20.14.6 cancels the body that has failed by then, and
// leaves that rejection unhandled (`onSocketClose` in its Fetch.js). Its own readers keep the body locked, which it leaves alone.
const vitest = await project('vitest');

consumer('Vitest, happy-dom', (t) => inTests(t, vitest, 'vitest', 'run', '--environment=happy-dom', '--reporter=dot'), { engines: WHOLE });
