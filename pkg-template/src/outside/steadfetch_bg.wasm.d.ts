/** The full engine, as workerd imports it. */
declare const module: WebAssembly.Module;
export default module;
