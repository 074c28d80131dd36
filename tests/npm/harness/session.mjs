// A server of sessions: one token is good at a time, and each refresh makes a new one of the last refresh token.

/** Routes of the fault server: `/data` is for who has `token`, `POST /token` gives what is said. */
export const routes = (token, refresh, header = 'authorization') => ({
  routes: [
    { path: '/token', method: 'POST', steps: [refresh].flat() },
    { path: '/data', when: { headers: { [header]: token } }, steps: [{ json: { ok: true } }] },
    { path: '/data', steps: [{ status: 401, json: { error: 'expired' } }] },
  ],
});

/** The same without a network: a `fetch` to whom `session.token` is good. */
export function madeUpSession(token = 'new') {
  const calls = [];
  const session = {
    token,
    calls,
    /** Answers that are held back until `release`, by their path. */
    held: new Set(),
    /** The values of the header that came with a path. */
    seen: (path) => calls.filter((call) => call.path === path).map((call) => call.authorization),
    release() {
      session.held.clear();
      for (const go of waiting.splice(0)) go();
    },
    async fetch(input, init) {
      const path = new URL(input.url ?? input).pathname.slice(1);
      const authorization = new Headers(init?.headers ?? input.headers).get('authorization');
      // What is good is decided when the request comes, not when its answer leaves.
      const isGood = authorization === `Bearer ${session.token}`;
      calls.push({ path, authorization, method: init?.method ?? input.method ?? 'GET' });
      if (session.held.has(path)) await new Promise((resolve) => waiting.push(resolve));
      return new Response('{"ok":true}', { status: isGood ? 200 : 401 });
    },
  };
  const waiting = [];
  return session;
}

/** A promise that is settled from outside. */
export function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}
