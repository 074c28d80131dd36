// Keeps the events of clients.

import type { SteadfetchEvent } from '../events.js';
import type { EventRecorder } from '../testing.js';

const words = (event: SteadfetchEvent): string => {
  const { code, status } = event as { code?: string; status?: number };
  return [event.type, event.attempt ? `#${event.attempt}` : '', code ?? status ?? ''].filter((word) => word !== '').join(' ');
};

export function createRecorder(): EventRecorder {
  const events: SteadfetchEvent[] = [];
  return {
    onEvent: (event) => void events.push(event),
    events,
    of: <T extends SteadfetchEvent['type']>(type: T) => events.filter((event) => event.type === type) as Extract<SteadfetchEvent, { type: T }>[],
    lines: () => events.map(words),
    reset: () => void (events.length = 0),
  };
}
