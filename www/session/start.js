// Loads what the page about the session needs, and starts it.

import { startPage } from '../page.js';
import { Frame } from './frame.js';
import { Session } from './session.js';

const frames = () => Promise.all(['A', 'B'].map((name) => new Frame(name).load(document.body)));

await startPage({ frames }, (parts) => new Session(parts));
