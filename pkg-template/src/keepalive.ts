// Counts the bytes of keepalive bodies, which the platform limits for all of them together.

import type { CallState, ReadyCall } from './call-state.js';

import { is } from './errors.js';

/** The most bytes that all requests with keepalive may carry (Fetch standard, section 4.6). */
export const KEEPALIVE_BYTES = 65_536;

/** How long a browser may take to notice that a keepalive request is over, in milliseconds. */
const LAG = 500;
/** The bytes of keepalive bodies that are under way. */
let kept = 0;
/** Those of bodies that were, each with the time of its end. */
let ended: (readonly [bytes: number, at: number])[] = [];

/** The limit is one for all that are under way, and fetch rejects what goes beyond it: that is sent without keepalive. */
export function keepAlive(call: ReadyCall, init: RequestInit): void {
  const size = sizeOf(init.body);
  const now = performance.now();
  ended = ended.filter(([, at]) => now - at < LAG);
  init.keepalive = ended.reduce((sum, [bytes]) => sum + bytes, kept + size) <= KEEPALIVE_BYTES;
  if (init.keepalive) kept += call.kept_ = size;
}

export function releaseKept(call: CallState): void {
  kept -= call.kept_;
  ended.push([call.kept_, performance.now()]);
  call.kept_ = 0;
}

export const piecesOf = (body: any): any[] => (is(body, 'FormData') ? [...body.values()] : [body]);

/** The size of a body as far as it is known before it is sent; of a form the least that it can be. */
export const sizeOf = (body: unknown): number =>
  piecesOf(body).reduce((sum: number, piece) => {
    const text = is(piece, 'URLSearchParams') ? `${piece}` : piece;
    return sum + (typeof text === 'string' ? new TextEncoder().encode(text).length : (piece?.size ?? piece?.byteLength ?? 0));
  }, 0);
