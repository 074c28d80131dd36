/**
 * The engine as WebAssembly: the module itself where a platform imports it as one (Cloudflare Workers), its URL where a bundler
 * makes one of it.
 *
 * @module steadfetch/steadfetch_full_bg.wasm
 */
declare const engine: WebAssembly.Module | string;
export = engine;
