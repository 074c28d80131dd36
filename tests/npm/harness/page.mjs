// Runs the case that the page's URL names and posts the result to the driver. No driver needs more of a browser than to
// open a URL.

const env = JSON.parse(new URLSearchParams(location.search).get('env'));
const post = globalThis.fetch.bind(globalThis);

async function result() {
  try {
    const { runCase } = await import('./run.mjs');
    return await runCase(env);
  } catch (error) {
    return { ok: false, message: String(error), stack: String(error?.stack ?? '') };
  }
}

await post(env.sink, { method: 'POST', body: JSON.stringify(await result()) });
