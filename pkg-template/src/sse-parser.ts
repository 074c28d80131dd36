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
  /** The lines of data so far; undefined: there was none. */
  declare data_: string | undefined;
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
    this.line_ = this.event_ = '';
    this.data_ = undefined;
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
      let line = text.slice(start, end);
      if (this.line_) {
        line = this.line_ + line;
        this.line_ = '';
      }
      if (this.exceeds_(line)) return events;
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
    const { data_: data } = this;
    return (this.isTooLarge_ = length + (data === undefined ? 0 : data.length + 1) + this.event_.length > this.limit_);
  }

  field_(line: string): void {
    // Most lines are data.
    if (line.startsWith('data: ')) return this.addData_(line.slice(6));
    const colon = line.indexOf(':');
    if (!colon) {
      this.comments_++;
      return;
    }
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') this.addData_(value);
    else if (name === 'event') this.event_ = value;
    else if (name === 'id' && !value.includes('\0')) this.id_ = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.lastRetry_ = this.retry_ = +value;
  }

  addData_(value: string): void {
    this.data_ = this.data_ === undefined ? value : `${this.data_}\n${value}`;
  }

  dispatch_(events: ServerSentEvent[]): void {
    const { event_: event, data_: data, retry_: retry } = this;
    this.lastId_ = this.id_;
    this.event_ = '';
    this.data_ = this.retry_ = undefined;
    if (data === undefined) return;
    const id = this.lastId_;
    events.push(retry === undefined ? { event: event || 'message', data, id } : { event: event || 'message', data, id, retry });
  }
}
