import { createClient, type ErrorCode, type Outcome, type SteadfetchEvent } from 'steadfetch';
import { assert, type Equal } from './equal.js';

createClient({
  onEvent(event) {
    assert<Equal<typeof event, SteadfetchEvent>>();
    assert<Equal<typeof event.remainingMs, number | null>>();
    switch (event.type) {
      case 'call-start':
        assert<Equal<typeof event.via, 'network'>>();
        break;
      case 'attempt-start':
        // @ts-expect-error - it has not ended
        void event.attemptMs;
        break;
      case 'attempt-end':
        assert<Equal<typeof event.outcome, Outcome>>();
        assert<Equal<NonNullable<typeof event.timings>['stalled'], number>>();
        // @ts-expect-error - the platform may not say
        void (event.timings?.request + 1);
        break;
      case 'queued':
        break;
      case 'circuit-change':
        assert<Equal<typeof event.state, 'closed' | 'open' | 'half-open'>>();
        assert<Equal<typeof event.circuit, string>>();
        break;
      case 'refresh':
        assert<Equal<typeof event.refreshMs, number>>();
        break;
      case 'retry':
        assert<Equal<typeof event.code, ErrorCode>>();
        assert<Equal<typeof event.waitMs, number>>();
        break;
      case 'call-end':
        assert<Equal<typeof event.ok, boolean>>();
        break;
      default:
        event satisfies never;
    }
  },
});
