// Loads what the page about protection needs, and starts it.

import { startPage } from '../page.js';
import { Protection } from './protection.js';

await startPage({}, (parts) => new Protection(parts));
