// Makes the response of a reply, as a server and a connection would give it.

import type { Reply, ReplyOptions } from '../testing.js';

const MEMBERS = ['status', 'statusText', 'headers', 'json', 'body', 'chunks', 'gap', 'delay', 'end', 'fault'];
const CHOICES: Record<string, readonly string[]> = { end: ['complete', 'cut', 'hang'], fault: ['lost', 'never'] };
/** The platform's Response has no body under these. */
const WITHOUT_BODY = [204, 205, 304];

const wrong = (what: string): TypeError => new TypeError(`steadfetch/testing: ${what}`);
const isSpan = (value: unknown): boolean => value === undefined || (typeof value === 'number' && value >= 0 && value < Infinity);

/** A Response may be another implementation's. */
export const isResponse = (reply: Reply): reply is Response => typeof (reply as Response).clone === 'function';

/** Refuses what is no reply when it is given, not when it is needed. */
export function checked(reply: Reply): Reply {
  if (typeof reply === 'function') return reply;
  if (typeof reply === 'number') {
    checkStatus(reply);
    return reply;
  }
  if (typeof reply !== 'object' || reply === null) throw wrong(`a reply is a status, an object, a Response or a function, not ${reply === null ? 'null' : typeof reply}`);
  return isResponse(reply) ? reply : checkedOptions(reply);
}

function checkStatus(status: number): void {
  if (!Number.isInteger(status) || status < 200 || status > 599) throw wrong(`status is a whole number from 200 to 599, not ${status}`);
}

function checkedOptions(reply: ReplyOptions): ReplyOptions {
  const unknown = Object.keys(reply).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw wrong(`a reply has no ${unknown}: it may have ${MEMBERS.join(', ')}`);
  const bodies = (['json', 'body', 'chunks'] as const).filter((name) => reply[name] !== undefined);
  if (bodies.length > 1) throw wrong(`a reply has one body, not ${bodies.join(' and ')}`);
  if (reply.status !== undefined) checkStatus(reply.status);
  for (const name of ['gap', 'delay'] as const) {
    if (!isSpan(reply[name])) throw wrong(`${name} is a number of milliseconds from 0, not ${String(reply[name])}`);
  }
  for (const [name, values] of Object.entries(CHOICES)) {
    const value = reply[name as 'end' | 'fault'];
    if (value !== undefined && !values.includes(value)) throw wrong(`${name} is ${values.map((one) => `'${one}'`).join(' or ')}, not ${String(value)}`);
  }
  if (reply.chunks !== undefined && !Array.isArray(reply.chunks)) throw wrong('chunks is an array of strings and Uint8Arrays');
  return reply;
}

/** Waits so long by the timers of the moment; what has been aborted waits no longer. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Rejects when the signal aborts, and never resolves. */
export const never = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** A body that comes piece by piece, and ends as the reply says. */
function streamOf({ chunks = [], gap = 0, end }: ReplyOptions, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const rest = [...chunks];
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener('abort', () => {
        try {
          controller.error(signal.reason);
        } catch {
          // It has ended.
        }
      }, { once: true });
    },
    async pull(controller) {
      if (rest.length && gap) await wait(gap, signal);
      const piece = rest.shift();
      if (piece !== undefined) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      else if (end === 'hang') await never(signal);
      else if (end === 'cut') controller.error(new TypeError('network error: the script cuts the body'));
      else controller.close();
    },
  }, { highWaterMark: 0 });
}

/** The response of a reply that has one. */
export function responseOf(reply: Response | ReplyOptions, url: string, signal: AbortSignal | undefined): Response {
  const response = isResponse(reply) ? reply.clone() : made(reply, signal);
  // One that a test has made knows no address; that of a server does.
  if (!response.url) Object.defineProperty(response, 'url', { value: url.replace(/#.*/, ''), configurable: true });
  return response;
}

function made(reply: ReplyOptions, signal: AbortSignal | undefined): Response {
  const { status = 200, statusText = '', json, end = 'complete' } = reply;
  const headers = new Headers(reply.headers);
  if (json !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const whole = json === undefined ? reply.body : JSON.stringify(json);
  const isStream = reply.chunks !== undefined || end !== 'complete';
  const chunks = reply.chunks ?? (typeof whole === 'string' || whole instanceof Uint8Array ? [whole] : []);
  const body = isStream ? streamOf({ ...reply, chunks }, signal) : whole;
  return new Response(WITHOUT_BODY.includes(status) ? null : (body ?? null), { status, statusText, headers });
}
