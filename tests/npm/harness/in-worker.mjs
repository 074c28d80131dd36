// A dedicated worker that calls with the default fetch and with the global one handed over.

globalThis.onmessage = async ({ data: { module, url } }) => {
  const { createClient } = await import(module);
  const results = [];
  for (const options of [{}, { fetch: globalThis.fetch }]) {
    results.push(await createClient(options).get(url).json().catch((error) => `${error.code}: ${error.message}`));
  }
  globalThis.postMessage(results);
};
