// Reads the head of a response.

import type { CallState } from './call-state.js';

import { safely } from './errors.js';
import { RETRY_AFTER_HEADERS } from './generated.js';
import { waitOf } from './retry-after.js';

/** The response of a custom fetch may have no headers, or none that can be read. */
export const headerOf = (response: Response, name: string): string | undefined =>
  safely(() => {
    const { headers } = response;
    let value;
    try {
      value = headers.get(name);
    } catch {
      // SvelteKit replaces `get` by one that throws for headers which it does not keep for the page.
      value = Headers.prototype.get.call(headers, name);
    }
    return value === null || value === undefined ? undefined : `${value}`;
  });

/** The wait that a response asks for in milliseconds; NaN if it asks for none. */
export function retryAfterOf(response: Response): number {
  for (const [name, source] of RETRY_AFTER_HEADERS as [string, number][]) {
    const value = headerOf(response, name);
    if (value !== undefined) return waitOf(value, source, headerOf(response, 'date') ?? '');
  }
  return NaN;
}

/** The length of the body; NaN if it is not known, as that of a compressed one. */
export function lengthOf(response: Response): number {
  const length = headerOf(response, 'content-length');
  return length === undefined || headerOf(response, 'content-encoding') ? NaN : Number(length);
}

/** Whether by definition there is no body (RFC 9110, section 6.4.1). */
export const hasNoContent = ({ method_: method, status_: status }: CallState): boolean =>
  method === 'HEAD' || ([204, 205, 304] as (number | undefined)[]).includes(status);

/** The same of a response that may have a body all the same: a custom fetch, or a hook, may have made it. */
export const isMadeUpEmpty = (call: CallState): boolean =>
  !!(call.config_.fetch || call.config_.hooks.afterResponse || call.via_ === 'hook') && hasNoContent(call);

/** The answer to a `no-cors` request, or a redirect that was not followed: nothing of it can be read. */
export const isOpaque = (response: Response): boolean => !response.status && /^opaque/.test(response.type);
