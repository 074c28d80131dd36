// `api.events` against a server whose streams break.

import { BROWSERS } from '../harness/hosts.mjs';

const headers = { 'content-type': 'text/event-stream' };
const piece = (text, more) => ({ text, ...more });
/** A piece of an answer of a language model. */
const delta = (content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

/** How a connection breaks. WebKitGTK takes chunked framing without its end for a whole body. */
const broken = (t) => (t.host === 'webkit' ? 'reset' : 'cut');

/** Reads a chat as its clients do. */
async function chat(api, options) {
  let text = '';
  for await (const { event, data } of api.events('chat', { method: 'POST', json: { prompt: 'hi', stream: true }, ...options })) {
    if (event === 'error') throw new Error(JSON.parse(data).message);
    if (data === '[DONE]') return text;
    text += JSON.parse(data).choices[0].delta.content;
  }
  return `${text}, without an end`;
}

export default [
  {
    name: 'a chat by POST: deltas, keep-alive comments, cuts within characters, [DONE]',
    parallel: true,
    async run(t) {
      const text = `: open\n\n${delta('Grüß')}: alive\n\n${delta(' dich, ')}${delta('😀')}data: [DONE]\n\n${delta('too late')}`;
      await t.home.script({ 'POST /chat': { headers, body: text, chunked: true, split: { sizes: [1, 7, 30, 2], delay: 1 } } });
      t.equal(await t.works(() => chat(t.client())), 'Grüß dich, 😀', 'the text');
      const { log } = await t.home.wait({ requests: 1 });
      t.equal(log[0].body, '{"prompt":"hi","stream":true}', 'the body');
      t.equal(log[0].headers.accept, 'text/event-stream', 'Accept');
    },
  },
  {
    name: 'a chat by POST: an error event in the middle leaves the loop, and the server sees the close',
    parallel: true,
    async run(t) {
      await t.home.script({ 'POST /chat': { headers, chunks: [piece(delta('a')), piece('event: error\ndata: {"message":"overloaded"}\n\n')], end: 'hang' } });
      let message;
      await chat(t.client()).catch((error) => (message = error.message));
      t.equal(message, 'overloaded', 'the error');
      await t.home.wait({ requests: 1, closes: 1 });
      await t.saw(1);
    },
  },
  {
    name: 'a chat by POST: a cut in the middle is NETWORK_ERROR with outcome unknown, and nothing is sent again',
    parallel: true,
    async run(t) {
      await t.home.script({ 'POST /chat': { headers, chunks: [piece(delta('a')), piece('data: {"cho', { delay: 50 }), piece('', { delay: 50 })], end: broken(t) } });
      await t.fails(() => chat(t.client()), { code: 'NETWORK_ERROR', phase: 'body', outcome: 'unknown' });
      await t.saw(1);
    },
  },
  {
    name: 'L10 a stream that is cut within an event goes on after the last complete one, until a 204',
    parallel: true,
    async run(t) {
      await t.home.script({ '/feed': [
        { headers, chunks: [piece('id: 1\ndata: a\n\nid: 2\ndata: lo'), piece('', { delay: 50 })], end: broken(t) },
        { headers, body: 'id: 2\r\ndata: b\r\n\r\n' },
        { status: 503 },
        { headers, body: 'data: c\r\r' },
        { status: 204 },
      ] });
      const ends = [];
      const api = t.client({ retry: { delay: 5, backoffLimit: 20 }, onEvent: (event) => event.type === 'attempt-end' && ends.push(event.code) });
      const seen = [];
      await t.works(async () => {
        for await (const { data, id } of api.events('feed')) seen.push([data, id]);
      });
      t.same(seen, [['a', '1'], ['b', '2'], ['c', '2']]);
      const { log } = await t.home.wait({ requests: 5 });
      t.same(log.map((request) => request.headers['last-event-id'] ?? null), [null, '1', '2', '2', '2']);
      t.equal(ends[0], 'NETWORK_ERROR', 'the first break');
    },
  },
  {
    name: 'L01 L10 a silent stream is closed after idleTimeout and connected again with its last ID',
    parallel: true,
    async run(t) {
      await t.home.script({ '/feed': [{ headers, chunks: [piece('id: 7\ndata: a\n\n')], end: 'hang' }, { headers, body: 'data: b\n\n' }, { status: 204 }] });
      const api = t.client({ retry: { delay: 5 } });
      const seen = [];
      await t.works(async () => {
        for await (const { data } of api.events('feed', { idleTimeout: 300 })) seen.push(data);
      });
      t.same(seen, ['a', 'b']);
      const { log } = await t.home.wait({ requests: 3, closes: 1 });
      t.equal(log[1].headers['last-event-id'], '7', 'Last-Event-ID');
    },
  },
  {
    name: 'L11 breaking out of the loop, return(), the signal and close() abort the connection',
    parallel: true,
    async run(t) {
      await t.home.script({ '/feed': { headers, chunks: [piece('data: a\n\n')], end: 'hang' } });
      const api = t.client();
      for await (const { data } of api.events('feed')) {
        t.equal(data, 'a', 'data');
        break;
      }
      await t.home.wait({ requests: 1, closes: 1 });
      const events = api.events('feed');
      await events.next();
      const pending = events.next();
      await events.return();
      t.equal((await pending).done, true, 'done');
      await t.home.wait({ requests: 2, closes: 2 });
      const controller = new AbortController();
      const aborted = api.events('feed', { signal: controller.signal });
      await aborted.next();
      const reason = new Error('enough');
      const waiting = t.fails(() => aborted.next(), { code: 'ABORTED' });
      controller.abort(reason);
      t.equal((await waiting).cause, reason, 'cause');
      await t.home.wait({ requests: 3, closes: 3 });
      const closed = api.events('feed');
      await closed.next();
      const closing = t.fails(() => closed.next(), { code: 'ABORTED' });
      api.close();
      await closing;
      await t.home.wait({ requests: 4, closes: 4 });
    },
  },
  {
    name: 'event streams load events.js, once, and nothing else; an abort is heard while it loads',
    hosts: BROWSERS,
    load: false,
    async run(t) {
      await t.home.script({ routes: [
        { path: '/pkg/events.js', steps: [{ gate: 'events', static: true }] },
        { path: '/api/*', steps: [{ headers, body: 'data: a\n\n' }] },
      ] });
      const lib = (t.lib = await import(t.env.modules.package));
      const api = lib.createClient({ baseUrl: t.home.url('/api/') });
      const waiting = api.events('a').next();
      for (const early of [true, false]) {
        const controller = new AbortController();
        const reason = new Error('enough');
        if (early) controller.abort(reason);
        const failing = t.fails(() => api.events('a', { signal: controller.signal }).next(), { code: 'ABORTED', outcome: 'not-sent' });
        controller.abort(reason);
        t.equal((await failing).cause, reason, 'cause');
      }
      await t.home.release('events');
      t.equal((await t.works(() => waiting)).value.data, 'a', 'data');
      t.equal((await t.works(() => api.events('a').next())).value.data, 'a', 'data of the next');
      api.close();
      const { otherLog, log } = await t.home.report();
      const names = [...otherLog, ...log].map(({ url }) => url.split('/pkg/')[1]).filter((name) => name && !t.env.modules.package.endsWith(`/${name}`));
      t.same(names, ['events.js']);
    },
  },
];
