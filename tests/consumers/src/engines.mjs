// Tells which engine a consumer runs: the package itself does not say.

/** An export that every build of the engine has, and one that the lean build lacks. */
const ENGINE = 'start';
const FULL = 'auth_event';

/** The engines that were made in this realm, for every bundle in it: a server makes one for all of its requests. */
const seen = (globalThis[Symbol.for('steadfetch.consumers.engines')] ??= new Set());

/** Watches WebAssembly from the first call on; the returned function names the engines that were instantiated since. */
export function watchEngines() {
  const Instance = globalThis.WebAssembly?.Instance;
  if (Instance && !seen.isWatching) {
    seen.isWatching = true;
    WebAssembly.Instance = function (module, imports) {
      const instance = new Instance(module, imports);
      const { exports } = instance;
      if (ENGINE in exports) seen.add(FULL in exports ? 'full wasm' : 'lean wasm');
      return instance;
    };
    WebAssembly.Instance.prototype = Instance.prototype;
  }
  return () => (seen.size ? [...seen] : ['no WebAssembly']);
}
