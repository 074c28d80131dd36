// Parses event streams: the twin of core/src/sse/parser.rs, held to it by tests/vectors/event-streams.json. The platform decodes the text, so no
// byte of a stream passes through the engine's memory.

import type { ServerSentEvent } from '../server-sent-events.js';

const LF = 10;

/** A parser of one connection's stream. */
export class SseParser {
  declare readonly limit_: number;
  declare readonly decoder_: TextDecoder;
  /** The unfinished line. */
  declare line_: string;
  /** Whether the last character was CR: an LF after it ends no other line. */
  declare afterReturn_: boolean;
  /** The lines of data, each with an LF. */
  declare data_: string;
  declare event_: string;
  /** The ID of the unfinished block, which counts from the end of the block on. */
  declare id_: string;
  declare lastId_: string;
  declare retry_: number | undefined;
  /** The last reconnection time, in milliseconds. */
  declare lastRetry_: number | undefined;
  declare comments_: number;
  /** Whether an event has exceeded the limit. Nothing is parsed from then on. */
  declare isTooLarge_: boolean;

  constructor(limit: number, lastId: string) {
    this.limit_ = limit;
    // It skips a byte order mark.
    this.decoder_ = new TextDecoder();
    this.line_ = this.data_ = this.event_ = '';
    this.id_ = this.lastId_ = lastId;
    this.retry_ = this.lastRetry_ = undefined;
    this.comments_ = 0;
    this.afterReturn_ = this.isTooLarge_ = false;
  }

  /** The events that these bytes complete. */
  push_(bytes: Uint8Array): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    const text = this.decoder_.decode(bytes, { stream: true });
    if (!text || this.isTooLarge_) return events;
    let start = 0;
    if (this.afterReturn_ && text.charCodeAt(0) === LF) start = 1;
    this.afterReturn_ = false;
    let lf = text.indexOf('\n', start);
    let cr = text.indexOf('\r', start);
    while (lf >= 0 || cr >= 0) {
      const isReturn = cr >= 0 && (lf < 0 || cr < lf);
      const end = isReturn ? cr : lf;
      const line = this.line_ + text.slice(start, end);
      if (this.exceeds_(line)) return events;
      this.line_ = '';
      if (line) this.field_(line);
      else this.dispatch_(events);
      start = end + 1;
      if (isReturn) {
        if (start === text.length) this.afterReturn_ = true;
        else if (lf === start) start++;
        cr = text.indexOf('\r', start);
      }
      if (lf >= 0 && lf < start) lf = text.indexOf('\n', start);
    }
    this.line_ += text.slice(start);
    this.exceeds_(this.line_);
    return events;
  }

  exceeds_({ length }: string): boolean {
    return (this.isTooLarge_ = length + this.data_.length + this.event_.length > this.limit_);
  }

  field_(line: string): void {
    const colon = line.indexOf(':');
    if (!colon) {
      this.comments_++;
      return;
    }
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') this.data_ += value + '\n';
    else if (name === 'event') this.event_ = value;
    else if (name === 'id' && !value.includes('\0')) this.id_ = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.lastRetry_ = this.retry_ = +value;
  }

  dispatch_(events: ServerSentEvent[]): void {
    const { event_: event, data_: data, retry_: retry } = this;
    this.lastId_ = this.id_;
    this.data_ = this.event_ = '';
    this.retry_ = undefined;
    if (!data) return;
    const made: ServerSentEvent = { event: event || 'message', data: data.slice(0, -1), id: this.lastId_ };
    events.push(retry === undefined ? made : { ...made, retry });
  }
}
