// What one call did when, from its events and nothing else.

/**
 * The kinds of segments, and how they are called.
 *
 * - `load`: the engine is being loaded
 * - `hook`: waiting for a callback of the caller
 * - `queue`: waiting for a slot
 * - `attempt`: an attempt of which nothing is known yet; when it has ended it becomes its parts:
 *   - `headers`: waiting for the response headers
 *   - `body`: the body is coming
 *   - `idle`: the last part of that, in which nothing came until `idleTimeout` had passed
 * - `backoff`: the wait before a retry
 */
export const KINDS = {
  load: 'loading',
  hook: 'your hook',
  queue: 'queue',
  attempt: 'under way',
  headers: 'headers',
  body: 'body',
  idle: 'silence',
  backoff: 'backoff',
};

export class Timeline {
  segments = [];
  attempts = [];
  /** The `call-end` event, once it has come. */
  end;

  /**
   * @param {object} start the `call-start` event
   * @param {{ idleTimeout?: number, hook?: boolean }} call what is known of it: its limit, and whether it has a
   *   `beforeRequest` hook
   */
  constructor(start, { idleTimeout = Infinity, hook = false } = {}) {
    this.idleTimeout = idleTimeout;
    // It is announced when the engine is there.
    this.#close(this.#open('load', 0), start.elapsedMs);
    this.#open(hook ? 'hook' : 'load', start.elapsedMs);
  }

  /** Takes the next event of this call. */
  add(event) {
    switch (event.type) {
      case 'queued':
        this.#endOpen(event.elapsedMs);
        this.#open('queue', event.elapsedMs, event.attempt);
        break;
      case 'attempt-start':
        this.#endOpen(event.elapsedMs);
        this.#open('attempt', event.elapsedMs, event.attempt);
        break;
      case 'attempt-end':
        if (this.open?.kind === 'attempt') this.segments.pop();
        this.attempts.push(event);
        this.#split(event);
        break;
      case 'retry':
        // It is decided the moment the attempt has failed; the event comes a little later.
        this.#endOpen(event.elapsedMs);
        this.#open('backoff', this.#last, event.attempt);
        break;
      case 'call-end':
        this.#endOpen(event.elapsedMs);
        this.end = event;
        break;
      default:
        break;
    }
  }

  /** The segment that has not ended. */
  get open() {
    const last = this.segments.at(-1);
    return last?.end === undefined ? last : undefined;
  }

  /** How far the call has come, `now` being the milliseconds since it began. */
  extent(now) {
    return this.end ? this.end.elapsedMs : Math.max(now, this.segments.at(-1)?.end ?? 0);
  }

  /** Where the last segment ended. */
  get #last() {
    return this.segments.at(-1)?.end ?? 0;
  }

  #open(kind, start, attempt = 0) {
    const segment = { kind, start, end: undefined, attempt };
    this.segments.push(segment);
    return segment;
  }

  #close(segment, end) {
    segment.end = Math.max(end, segment.start);
    // What took no time is nothing to be drawn.
    if (segment.end === segment.start && segment.kind !== 'headers') this.segments.pop();
  }

  #endOpen(at) {
    if (this.open) this.#close(this.open, at);
  }

  /** An attempt that is over, in its parts. */
  #split({ attempt, startMs, attemptMs, headersMs, phase }) {
    const end = startMs + attemptMs;
    const add = (kind, from, to) => {
      if (to > from || kind === 'headers') this.#close(this.#open(kind, Math.max(from, this.#last), attempt), to);
    };
    if (headersMs === undefined) {
      // Without headers all of it was the wait for them.
      add('headers', startMs, end);
      return;
    }
    const head = Math.min(startMs + headersMs, end);
    const silent = phase === 'idle' ? Math.max(head, end - this.idleTimeout) : end;
    add('headers', startMs, head);
    add('body', head, silent);
    add('idle', silent, end);
  }
}
