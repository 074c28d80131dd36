// Runs the case that the argument names in a process of a runtime, and posts the result to the driver.

const env = JSON.parse(process.argv[2]);
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
// Connections that are kept for the next request keep some runtimes from ending.
process.exit();
