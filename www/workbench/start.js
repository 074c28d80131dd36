// Loads what the workbench needs, and starts it.

import { startPage } from '../page.js';
import { Workbench } from './workbench.js';

await startPage((parts) => new Workbench(parts));
