// `steadfetch/testing`: what tests put in the place of the network and of time. It imports nothing of the client.

import type { Same } from './shapes.js';

export { createClock, followDate } from './testing-clock.js';
export { createRecorder } from './testing-recorder.js';
export { createScript } from './testing-script.js';

type Declared = typeof import('../testing.js');
type Exported = typeof import('./testing.js');

export type Checked = Same<keyof Declared | keyof Exported, Declared, Exported>;
