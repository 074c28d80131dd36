// Makes what `api.events` returns: an iterator that loads the chunk of event streams when it is first asked for an event.

import type { EventsOptions, ServerSentEvent } from '../server-sent-events.js';
import type { View } from './config.js';

import { EVENTS } from './features.js';
import { init, want } from './load.js';
import { events } from './optional.js';

type Iterator = AsyncIterator<ServerSentEvent, undefined>;

/** One that was left before it began. */
const ENDED: Iterator = { next: async () => ({ done: true, value: undefined }) };

/** @param refuse makes the call that tells why, where an abort came before the chunk */
export function eventStream(view: View, input: unknown, options: EventsOptions | undefined, refuse: (options: object) => PromiseLike<unknown>): AsyncIterableIterator<ServerSentEvent> {
  let opened: Promise<Iterator> | undefined;
  const given = { ...options };
  const { signal } = given;
  async function open(): Promise<Iterator> {
    if (!events) {
      want({ features_: EVENTS });
      let leave!: () => void;
      const left = new Promise<void>((resolve) => {
        leave = resolve;
        if (signal?.aborted) leave();
        else signal?.addEventListener?.('abort', leave);
      });
      await Promise.race([init(), left]);
      signal?.removeEventListener?.('abort', leave);
      if (!events) await refuse({ signal });
    }
    return events.openEvents_(view, input, given);
  }
  return {
    next: () => (opened ??= open()).then((iterator) => iterator.next()),
    async return() {
      await (opened ??= Promise.resolve(ENDED)).then((iterator) => iterator.return?.(), () => {});
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
