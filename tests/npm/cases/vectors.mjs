// Rules that both drivers follow, each on its own: what the files in tests/vectors say of them.

/** In a page the files come over HTTP, else from the disk. */
async function read(name) {
  if (!import.meta.url.startsWith('file:')) return (await fetch(new URL(`/vectors/${name}`, location.href))).json();
  const { readFile } = await import('node:fs/promises');
  return JSON.parse(await readFile(new URL(`../../vectors/${name}`, import.meta.url), 'utf8'));
}

export default [
  {
    name: 'F06 Retry-After and reset headers, by the vectors of both drivers',
    async run(t) {
      const { wall: usual, vectors } = await read('retry-after.json');
      const { now } = Date;
      try {
        for (const { value, reset, date, wall = usual, waitMs } of vectors) {
          Date.now = () => wall;
          const given = new Map([[reset ? 'ratelimit-reset' : 'retry-after', value], ['date', date]]);
          // Node leaves the spaces around a value, which `Headers` would not.
          const headers = { get: (name) => given.get(name) ?? null };
          const api = t.client({ fetch: t.scripted(() => Object.defineProperty(new Response('', { status: 429 }), 'headers', { value: headers })) });
          const error = await t.fails(() => api.get('a').text(), { code: 'HTTP_ERROR' });
          t.equal(error.retryAfterMs, waitMs ?? undefined, `${value} ${date ?? ''}`);
        }
      } finally {
        Date.now = now;
      }
    },
  },
  {
    name: 'every port that browsers block is refused before anything is sent, by the vectors of both drivers',
    hosts: ['chromium', 'firefox', 'webkit'],
    async run(t) {
      const ports = await read('blocked-ports.json');
      await Promise.all(
        ports.map((port) => t.fails(() => t.client().get(`http://127.0.0.1:${port}/`), { code: 'INVALID_REQUEST', outcome: 'not-sent' })),
      );
    },
  },
  {
    name: 'the hint of a network error names the headers that need a preflight, by the vectors of both drivers',
    hosts: ['chromium', 'firefox', 'webkit'],
    async run(t) {
      const rows = await read('hints.json');
      const fetch = t.spy(globalThis, 'fetch', () => async () => { throw new TypeError('Failed to fetch'); });
      try {
        for (const { headers, sameOrigin, hint, named } of rows) {
          const url = sameOrigin ? `${location.origin}/a` : 'https://api.example.test/';
          const fields = { code: 'NETWORK_ERROR', ...(hint && { hint }) };
          const error = await t.fails(() => t.client({ retry: false }).post(url, { headers: Object.fromEntries(headers), body: 'a' }).text(), fields);
          t.equal(error.hint, hint ?? undefined, JSON.stringify(headers));
          if (named) t.match(error.message, new RegExp(`headers that need a CORS preflight: ${named.join(', ')}[,)]`), 'the message');
        }
      } finally {
        fetch.restore();
      }
    },
  },
];
