import type { EngineExports } from '../shapes.js';

/** The full engine as JavaScript, which the build makes: gives the exports of a new engine. */
declare const translated: () => EngineExports;
export default translated;
