// A page whose zone.js is there before the package: it has replaced Promise, timers and fetch.
import 'zone.js';

import './page.mjs';
