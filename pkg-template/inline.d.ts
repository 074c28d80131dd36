/**
 * `steadfetch` with the WebAssembly bytes inside the JavaScript: one file, nothing to fetch, about a third larger. For
 * service workers, browser extensions, single-file pages, and wherever a `.wasm` file cannot be served. The exports are
 * those of `steadfetch`.
 *
 * @module steadfetch/inline
 */
export * from './index.js';
