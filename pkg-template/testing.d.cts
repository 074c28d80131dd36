/**
 * `steadfetch/testing` for `require`. The exports and the types are those of the ES module.
 *
 * @module steadfetch/testing
 */
import type * as testing from './testing.js' with { 'resolution-mode': 'import' };

export type * from './testing.js' with { 'resolution-mode': 'import' };

export declare const createClock: typeof testing.createClock;
export declare const createRecorder: typeof testing.createRecorder;
export declare const createScript: typeof testing.createScript;
export declare const followDate: typeof testing.followDate;
