// Runs a case in this realm, and posts the result to the driver, wherever that is.

const post = globalThis.fetch.bind(globalThis);

/**
 * @param {object} env as `runCase` takes it, and `sink`, the address for the result
 * @param {object} [loaded] as `runCase` takes it
 */
export async function report(env, loaded) {
  let result;
  try {
    // Not before there is somebody to hear of its failure.
    const { runCase } = loaded ?? (await import('./run.mjs'));
    result = await runCase(env, loaded);
  } catch (error) {
    result = { ok: false, message: String(error), stack: String(error?.stack ?? '') };
  }
  await post(env.sink, { method: 'POST', body: JSON.stringify(result) });
}
