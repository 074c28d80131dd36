// Tells which engine a consumer runs: the package itself does not say.

/** An export that every build of the engine has, and one that the lean build lacks. */
const ENGINE = 'start';
const FULL = 'auth_event';

/** Watches WebAssembly from now on; the returned function names the engines that were instantiated meanwhile. */
export function watchEngines() {
  const seen = new Set();
  const Instance = globalThis.WebAssembly?.Instance;
  if (Instance) {
    const watched = function (module, imports) {
      const instance = new Instance(module, imports);
      const { exports } = instance;
      if (ENGINE in exports) seen.add(FULL in exports ? 'full wasm' : 'lean wasm');
      return instance;
    };
    watched.prototype = Instance.prototype;
    WebAssembly.Instance = watched;
  }
  return () => {
    if (Instance) WebAssembly.Instance = Instance;
    return seen.size ? [...seen] : ['no WebAssembly'];
  };
}
