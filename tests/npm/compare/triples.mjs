// Random calls of fetch: an input, an init, and how the server behaves. A triple is plain data that names what `parts.mjs` makes
// of it, so that it can be made twice, and printed.

const INPUTS = ['string', 'string', 'URL', 'Request', 'Request', 'cloned Request', 'used Request', 'Request with body', 'Request with signal'];
const METHODS = ['GET', 'get', 'POST', 'post', 'PUT', 'patch', 'PATCH', 'DELETE', 'delete', 'HEAD', 'OPTIONS', 'PURGE', 'TRACE', 'connect', 'a b', ''];
const BODIES = [
  'text', 'empty text', 'URLSearchParams', 'FormData', 'Blob', 'Blob with type', 'Uint8Array', 'DataView', 'ArrayBuffer', 'number', 'object',
  'null', 'stream', 'stream without duplex', 'locked stream',
];
const HEADERS = ['plain', 'Headers', 'pairs', 'duplicates', 'forbidden', 'odd case', 'content type', 'bad name', 'bad value', 'not pairs', 'null', 'empty'];
const SIGNALS = ['none', 'null', 'bad', 'aborted before', 'aborted with a text', 'aborted at once', 'aborted after headers', 'aborted in the body', 'never'];
const MEMBERS = {
  redirect: ['follow', 'error', 'manual', 'never'],
  credentials: ['omit', 'same-origin', 'include', 'all'],
  cache: ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached', 'often'],
  mode: ['cors', 'same-origin', 'no-cors', 'navigate', 'any'],
  referrer: ['', 'about:client', '/elsewhere', 'http://'],
  referrerPolicy: ['no-referrer', 'origin', '', 'unsafe', 'unsafe-url'],
  integrity: ['', 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'x'],
  keepalive: [true, false, 1],
  window: [null, 'x'],
  priority: ['high', 'low', 'soon'],
  duplex: ['half', 'full'],
};
const SERVERS = {
  text: { body: 'abc' },
  json: { json: { a: [1, 2, 'ä'] } },
  empty: {},
  large: { bytes: 70_000 },
  gzip: { body: 'abc '.repeat(500), gzip: true },
  '201': { status: 201, statusText: 'Made', headers: { location: '/x', 'x-a': '1' }, body: 'made' },
  '204': { status: 204 },
  '205': { status: 205 },
  '304': { status: 304 },
  '401': { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: 'who' },
  '404': { status: 404, body: 'no' },
  '503': { status: 503, headers: { 'retry-after': '1' }, body: 'later' },
  'set-cookie': { body: 'c', headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2'], ['x-a', '1'], ['x-a', '2']] },
  redirect: { redirect: { status: 302, to: '/landed' } },
  'redirect 307': { redirect: { status: 307, to: '/landed' } },
  'redirect to nowhere': { redirect: { status: 302, to: 'http://' } },
  cut: { body: 'abc', contentLength: 10, end: 'cut' },
  'chunked cut': { chunks: [{ text: 'abc' }], end: 'cut' },
  'reset in the body': { chunks: [{ text: 'abc' }, { bytes: 0, delay: 50 }], end: 'reset' },
  'no answer': { before: 'fin' },
  drip: { chunks: [{ text: 'abc' }], end: 'hang' },
};
const READS = ['text', 'json', 'arrayBuffer', 'blob', 'formData', 'bytes', 'reader', 'reader', 'clone', 'clone after', 'cancel', 'twice', 'both at once'];
/** Those that come from another origin, with CORS or without. */
const ORIGINS = ['own', 'own', 'own', 'cors', 'no cors'];

/** @param {{ pick, chance }} draw a random source, @param {boolean} inBrowser */
export function triple(draw, inBrowser) {
  const server = draw.pick(Object.keys(SERVERS));
  const members = {};
  for (const [name, values] of Object.entries(MEMBERS)) if (draw.chance(0.1)) members[name] = draw.pick(values);
  const has = (share, values) => (draw.chance(share) ? draw.pick(values) : undefined);
  const made = {
    origin: inBrowser ? draw.pick(ORIGINS) : 'own',
    server,
    input: draw.pick(INPUTS),
    method: has(0.6, METHODS),
    body: has(0.35, BODIES),
    headers: has(0.4, HEADERS),
    signal: has(0.35, SIGNALS),
    members,
    read: draw.pick(READS),
  };
  // What never ends has to be ended.
  if (server === 'drip') delete members.integrity;
  if (server === 'drip') Object.assign(made, { signal: draw.pick(['aborted after headers', 'aborted in the body']), read: draw.pick(READS.slice(0, 9)) });
  // Which of the two comes first is chance.
  if (/cut|reset|no answer/.test(server) && /after|in the/.test(made.signal)) made.signal = 'never';
  // Half of all have nothing bad in them, so that more than the first check is compared.
  if (made.body && draw.chance(0.7)) made.method = draw.pick(['POST', 'PUT', 'PATCH']);
  return made;
}

export const stepOf = ({ server, origin }) => {
  const { statusText, ...step } = SERVERS[server];
  return origin === 'no cors' ? { ...step, cors: false } : step;
};
