import { createClient, type RetryEvent, type SteadfetchEvent } from 'steadfetch';
import { createClock, createRecorder, createScript, followDate, type Reply, type Script, type ScriptRequest } from 'steadfetch/testing';
import { assert, type Equal } from './equal.js';

const script = createScript()
  .reply(503, { fault: 'lost', delay: 10 }, new Response('x'), async ({ number }) => ({ json: number }))
  .route('GET /users/*', { chunks: ['a', new Uint8Array(1)], gap: 5, end: 'cut' })
  .otherwise(404);
assert<Equal<typeof script, Script>>();
assert<Equal<(typeof script.requests)[number], ScriptRequest>>();
const recorder = createRecorder();
const api = createClient({ fetch: script.fetch, onEvent: recorder.onEvent });
assert<Equal<ReturnType<typeof recorder.of<'retry'>>, RetryEvent[]>>();
assert<Equal<typeof recorder.events, readonly SteadfetchEvent[]>>();

const clock = createClock({ now: new Date(0) });
const text = clock.settle(api.get('a').text());
assert<Equal<typeof text, Promise<string>>>();
clock[Symbol.dispose]();
const restore: () => void = followDate();
restore();

// @ts-expect-error an unknown fault
const gone: Reply = { fault: 'gone' };
// @ts-expect-error an unknown member
script.reply({ stauts: 200 });
void gone;
