// A page whose worker runs the suite.

const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
const report = (result) => {
  globalThis.result = result;
};
worker.onmessage = ({ data }) => report(data);
worker.onerror = ({ message }) => report(`the worker failed: ${message}`);
worker.postMessage(location.search);
