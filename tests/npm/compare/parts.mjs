// What the words of a triple stand for: made anew for each call, since most can be used once.

const stream = () => new ReadableStream({
  pull(controller) {
    controller.enqueue(new TextEncoder().encode('streamed'));
    controller.close();
  },
});

const BODIES = {
  text: () => 'text ä',
  'empty text': () => '',
  URLSearchParams: () => new URLSearchParams({ a: '1', b: 'ä' }),
  FormData: () => {
    const form = new FormData();
    form.append('a', '1');
    return form;
  },
  Blob: () => new Blob(['blob']),
  'Blob with type': () => new Blob(['{}'], { type: 'application/json' }),
  Uint8Array: () => new Uint8Array([0, 255, 97]).subarray(1),
  DataView: () => new DataView(new ArrayBuffer(4), 1, 2),
  ArrayBuffer: () => new Uint8Array([97, 98]).buffer,
  number: () => 7,
  object: () => ({ a: 1 }),
  null: () => null,
  stream,
  'stream without duplex': stream,
  'locked stream': () => {
    const locked = stream();
    locked.getReader();
    return locked;
  },
};

const HEADERS = {
  plain: () => ({ 'x-a': '1', accept: 'text/plain' }),
  Headers: () => new Headers({ 'x-a': '1' }),
  pairs: () => [['x-a', '1'], ['x-b', '2']],
  duplicates: () => [['x-a', '1'], ['X-A', '2']],
  forbidden: () => ({ host: 'other', cookie: 'a=1', origin: 'http://b.test', 'x-a': '1' }),
  'odd case': () => ({ 'X-mIxEd': ' spaces ', 'x-empty': '' }),
  'content type': () => ({ 'content-type': 'text/x' }),
  'bad name': () => ({ 'a b': '1' }),
  'bad value': () => ({ 'x-a': 'a\nb' }),
  'not pairs': () => [['a']],
  null: () => null,
  empty: () => ({}),
};

function inputOf({ input }, url) {
  switch (input) {
    case 'URL': return new URL(url);
    case 'Request': return new Request(url, { headers: { 'x-request': '1' } });
    case 'cloned Request': return new Request(url, { method: 'POST', body: 'cloned' }).clone();
    case 'used Request': {
      const used = new Request(url, { method: 'POST', body: 'used' });
      used.text().catch(() => {});
      return used;
    }
    case 'Request with body': return new Request(url, { method: 'PUT', body: 'request body', headers: { 'x-request': '1' } });
    case 'Request with signal': return new Request(url, { signal: new AbortController().signal });
    default: return url;
  }
}

/** @returns {{ input, init, controller }} the arguments of a call, and what aborts it */
export function argumentsOf(triple, url) {
  const controller = new AbortController();
  const init = { ...triple.members };
  if (triple.method !== undefined) init.method = triple.method;
  if (triple.body) init.body = BODIES[triple.body]();
  if (/^(stream|locked)/.test(triple.body) && triple.body !== 'stream without duplex') init.duplex ??= 'half';
  if (triple.headers) init.headers = HEADERS[triple.headers]();
  if (triple.signal === 'aborted before') controller.abort();
  if (triple.signal === 'aborted with a text') controller.abort('enough');
  if (triple.signal) init.signal = { none: undefined, null: null, bad: {} }[triple.signal] === undefined && triple.signal !== 'none' ? controller.signal : { null: null, bad: {} }[triple.signal];
  return { input: inputOf(triple, url), init: Object.keys(init).length ? init : undefined, controller };
}
