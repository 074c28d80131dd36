// Loads what the gallery needs, and starts it.

import { startPage } from '../page.js';
import { Gallery } from './gallery.js';

await startPage((parts) => new Gallery(parts));
