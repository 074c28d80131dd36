/**
 * `steadfetch/opentelemetry` for `require`. The exports and the types are those of the ES module.
 *
 * @module steadfetch/opentelemetry
 */
import type * as opentelemetry from './opentelemetry.js' with { 'resolution-mode': 'import' };

export type * from './opentelemetry.js' with { 'resolution-mode': 'import' };

export declare const instrument: typeof opentelemetry.instrument;
