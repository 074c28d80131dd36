// Loads what the gallery needs, and starts it.

import { loadCatalogue } from '../fault/catalogue.js';
import { startPage } from '../page.js';
import { BASE } from '../product.js';
import { loadDeclarations } from '../request/declarations.js';
import { Gallery } from './gallery.js';

await startPage({ catalogue: loadCatalogue, declarations: () => loadDeclarations(BASE) }, (parts) => new Gallery(parts));
