// Runs one case in this realm, be it a page, a worker or a thread of Node, and says how it went.

import { Context } from './context.mjs';
import { turn } from './clock.mjs';
import { AssertionError, show } from './assert.mjs';
import { limitOf } from './limits.mjs';
import { platform, refuseWebAssembly, trackMemory, trackTimers, trackUnhandled } from './track.mjs';

/**
 * @param {object} env what the driver says: `host`, `topic`, `name`, `control`, `home`, and URLs of modules
 * @param {{ modules?: Record<string, object> }} [loaded] those modules, where nothing can be imported any more
 * @returns {Promise<{ ok: boolean, message?: string, stack?: string }>}
 */
export async function runCase(env, { modules: loaded } = {}) {
  const load = (name) => loaded?.[name] ?? import(env.modules[name]);
  // Before the globals are patched: the control API keeps the platform's own fetch.
  const { Origin, Server } = await load('client');
  const server = new Server(env.control);
  const home = env.home && new Origin(server, env.home);
  const timers = trackTimers();
  const memory = trackMemory();
  if (env.engine === 'javascript') refuseWebAssembly();
  const unhandled = trackUnhandled();
  let context;
  try {
    const { default: cases } = await load('topic');
    const found = cases.find((entry) => entry.name === env.name);
    // Cases of loading import the package themselves, at their own time.
    const lib = found.load === false ? undefined : await load('package');
    // All that its clients may need, so that no case waits for it: the full module only if it says so, in `needs`.
    lib?.createClient({ headers: () => ({}), ...found.needs });
    await lib?.ready();
    context = new Context(env, { server, home, lib, timers, memory, unhandled });
    await within(limitOf(found, env.full), found.run(context));
    await leavesNothing(found, context);
    return { ok: true };
  } catch (error) {
    const seen = unhandled.length > 0 ? `; unhandled: ${unhandled.map(show).join(', ')}` : '';
    return { ok: false, message: show(error) + seen, stack: trace(error) };
  } finally {
    await context?.end();
  }
}

/** A case that hangs fails here, where it is known what it left unhandled. */
function within(limit, running) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = platform.setTimeout(() => reject(new AssertionError(`not through after ${limit} ms`)), limit);
  });
  return Promise.race([running, late]).finally(() => platform.clearTimeout(timer));
}

/** Of a failed assertion only the lines of the case: how the harness got there tells nothing. */
function trace(error) {
  const stack = String(error?.stack ?? '');
  const lines = stack.split('\n');
  const inCase = lines.filter((line) => line.includes('/cases/'));
  if (error?.name === 'AssertionError' && inCase.length > 0) return [show(error), ...inCase].join('\n');
  // Only V8 begins with the message.
  return stack.startsWith(`${error?.name}: `) ? stack : `${show(error)}\n${stack}`;
}

/** What holds after every case: no rejection nobody heard of, and no timer of a client that has nothing to do. */
async function leavesNothing(found, context) {
  const { unhandled, timers } = context;
  await turn(8);
  context.equal(unhandled.map(show).join(', '), '', 'unhandled rejections');
  if (found.leavesTimers) return;
  await context.until(() => timers.pending() === 0, `the end of timers of ${timers.delays()} ms`, 500);
}
