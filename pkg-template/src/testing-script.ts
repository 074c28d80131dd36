// A `fetch` that answers as it was told, and keeps what it was asked.

import type { Reply, ReplyOptions, Script, ScriptRequest } from '../testing.js';

import { checked, isResponse, never, responseOf, wait } from './testing-reply.js';

interface Route {
  readonly text: string;
  matches(request: ScriptRequest): boolean;
  readonly replies: Reply[];
  uses: number;
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');

function routeOf(text: string, replies: Reply[]): Route {
  const [, method, place] = /^(?:([A-Za-z]+) +)?(\S+)$/.exec(text) ?? [];
  if (place === undefined) throw new TypeError(`steadfetch/testing: '${text}' is no route: give '/path', 'GET /path' or 'GET https://host/path'`);
  if (!replies.length) throw new TypeError(`steadfetch/testing: the route '${text}' has no reply`);
  const isWhole = /^\w+:/.test(place);
  const pattern = new RegExp(`^${escaped(isWhole || /^[/*]/.test(place) ? place : `/${place}`)}$`);
  const hasQuery = place.includes('?');
  const matches = (request: ScriptRequest) => {
    const address = (isWhole ? request.url : request.path).replace(/#.*/, '');
    return (!method || method.toUpperCase() === request.method) && pattern.test(hasQuery ? address : address.replace(/\?.*/, ''));
  };
  return { text, matches, replies: replies.map(checked), uses: 0 };
}

/** A bare jsdom has no Headers; a client gives plain ones there. */
const headersOf = (given: HeadersInit = {}): Record<string, string> =>
  Object.fromEntries(globalThis.Headers ? new Headers(given) : Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]));

function requestOf(number: number, input: RequestInfo | URL, init: RequestInit): ScriptRequest {
  const source = typeof input === 'object' && 'method' in input ? input : undefined;
  const url = new URL(source ? source.url : String(input), globalThis.location?.href);
  const body = init.body ?? source?.body ?? null;
  // A copy, so that the request can be looked at after its body was sent.
  const copy = source && init.body === undefined && source.body ? source.clone() : undefined;
  const text = async () => (copy ?? new Response(body)).text();
  return {
    number,
    method: (init.method ?? source?.method ?? 'GET').toUpperCase(),
    url: url.href,
    path: url.pathname + url.search,
    headers: headersOf(init.headers ?? source?.headers),
    body,
    signal: (init.signal === undefined ? source?.signal : init.signal) ?? undefined,
    time: performance.now(),
    outcome: 'pending',
    text,
    json: async () => JSON.parse(await text()),
  };
}

/** Follows functions to what they give in the end. */
async function settled(reply: Reply, request: ScriptRequest): Promise<Response | ReplyOptions> {
  let last = reply;
  while (typeof last === 'function') last = checked(await last(request));
  return typeof last === 'number' ? { status: last } : last;
}

async function answer(reply: Reply, request: Changing<ScriptRequest>): Promise<Response> {
  const { signal, url } = request;
  try {
    if (signal?.aborted) throw signal.reason;
    const given = await (signal ? Promise.race([settled(reply, request), never(signal)]) : settled(reply, request));
    const { delay = 0, fault } = isResponse(given) ? {} as ReplyOptions : given;
    if (fault === 'never') await never(signal);
    if (delay) await wait(delay, signal);
    if (fault === 'lost') {
      request.outcome = 'lost';
      throw new TypeError('Failed to fetch: the script loses the connection');
    }
    const response = responseOf(given, url, signal);
    request.outcome = response.status;
    return response;
  } catch (error) {
    if (signal?.aborted) request.outcome = 'aborted';
    throw error;
  }
}

export function createScript(): Script {
  const requests: ScriptRequest[] = [];
  const unexpected: ScriptRequest[] = [];
  const queue: Reply[] = [];
  const routes: Route[] = [];
  let last: Reply | undefined;

  const replyTo = (request: ScriptRequest): Reply | undefined => {
    const route = [...routes].reverse().find((one) => one.matches(request));
    if (!route) return queue.shift() ?? last;
    const reply = route.replies[Math.min(route.uses, route.replies.length - 1)];
    route.uses += 1;
    return reply;
  };
  const script: Script = {
    async fetch(input: RequestInfo | URL, init: RequestInit = {}) {
      const request = requestOf(requests.length + 1, input, init);
      requests.push(request);
      const reply = replyTo(request);
      if (reply !== undefined) return answer(reply, request);
      unexpected.push(request);
      // To the client a mistake of the caller, not of the network: it is not tried again.
      throw new RangeError(`steadfetch/testing: no reply is left for ${request.method} ${request.path}: add reply(), route() or otherwise()`);
    },
    requests,
    reply(...replies) {
      queue.push(...replies.map(checked));
      return script;
    },
    route(route, ...replies) {
      routes.push(routeOf(route, replies));
      return script;
    },
    otherwise(reply) {
      last = checked(reply);
      return script;
    },
    assertDone() {
      const faults = [
        ...unexpected.map(({ method, path }) => `no reply was left for ${method} ${path}`),
        ...(queue.length ? [`replies that nothing asked for: ${queue.length}`] : []),
        ...routes.filter(({ replies, uses }) => uses < replies.length).map(({ text, replies, uses }) => `route '${text}': ${uses} of ${replies.length} replies used`),
        ...requests.filter((one) => one.outcome === 'pending' && !unexpected.includes(one)).map(({ method, path }) => `${method} ${path} is not answered yet`),
      ];
      if (faults.length) throw new Error(`steadfetch/testing: ${faults.join('; ')}`);
    },
    reset() {
      for (const list of [requests, unexpected, queue, routes]) list.length = 0;
      last = undefined;
    },
  };
  return script;
}
