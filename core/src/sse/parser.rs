//! Parses the bytes of an event stream: HTML Standard, section 9.2.6.
//!
//! Lines and fields are separated by ASCII bytes, which no UTF-8 sequence contains and no decoder swallows. So the parser splits bytes, and
//! decodes each value by itself: a character that is cut by a chunk is whole again when its line is.

use alloc::string::String;
use alloc::vec::Vec;

use super::Event;
use crate::time::Millis;

const BOM: &[u8] = &[0xef, 0xbb, 0xbf];

/// An event needs more bytes than the parser may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The limit, in bytes.
    pub limit: usize,
}

/// A parser of one stream. It holds the unfinished event, and no more of it than its limit.
#[derive(Debug)]
pub struct Parser {
    limit: usize,
    is_over: bool,
    /// How many bytes of a byte order mark the stream began with; `None` when that is decided.
    bom: Option<usize>,
    /// Whether the last byte was a carriage return: a line feed after it belongs to the same end of a line.
    after_return: bool,
    /// The unfinished line.
    line: Vec<u8>,
    /// The data buffer. Each line of data ends with a line feed, so it is empty only if there was none.
    data: String,
    event: String,
    /// The ID of the unfinished block; it counts from the end of the block on.
    id: String,
    last_id: String,
    retry: Option<Millis>,
    last_retry: Option<Millis>,
    comments: u64,
}

impl Parser {
    /// The default limit of one event: 1 MiB.
    pub const MAX_EVENT_BYTES: usize = 1 << 20;

    /// A parser whose events have at most `limit` bytes. `last_id` is the ID that the stream goes on from, or empty.
    #[must_use]
    pub fn new(limit: usize, last_id: &str) -> Self {
        Self {
            limit,
            is_over: false,
            bom: Some(0),
            after_return: false,
            line: Vec::new(),
            data: String::new(),
            event: String::new(),
            id: last_id.into(),
            last_id: last_id.into(),
            retry: None,
            last_retry: None,
            comments: 0,
        }
    }

    /// The ID of the last complete block that had one: the value of `Last-Event-ID`.
    #[must_use]
    pub fn last_event_id(&self) -> &str {
        &self.last_id
    }

    /// The last reconnection time that the stream set. It counts at once, not from the end of its block on.
    #[must_use]
    pub fn reconnection_time(&self) -> Option<Millis> {
        self.last_retry
    }

    /// The number of comments so far. Servers send them to keep a connection alive.
    #[must_use]
    pub fn comments(&self) -> u64 {
        self.comments
    }

    /// Parses the next bytes, and hands each event that they complete to `sink`.
    ///
    /// # Errors
    /// [`TooLarge`] if an event exceeds the limit; the events before it have been handed out. The parser then refuses all further bytes.
    pub fn push(&mut self, bytes: &[u8], sink: &mut impl FnMut(Event)) -> Result<(), TooLarge> {
        if self.is_over {
            return Err(TooLarge { limit: self.limit });
        }
        let result = self.parse(bytes, sink);
        if result.is_err() {
            self.is_over = true;
            self.line = Vec::new();
            self.data = String::new();
        }
        result
    }

    fn parse(&mut self, bytes: &[u8], sink: &mut impl FnMut(Event)) -> Result<(), TooLarge> {
        let mut rest = self.without_bom(bytes);
        if self.after_return && !rest.is_empty() {
            self.after_return = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some((line, end, after)) = split_line(rest) {
            self.check(line.len())?;
            if self.line.is_empty() {
                self.end_line(line, sink);
            } else {
                let mut whole = core::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                self.end_line(&whole, sink);
                // The next line that is cut uses the same memory.
                whole.clear();
                self.line = whole;
            }
            rest = after;
            if end == b'\r' {
                self.after_return = rest.is_empty();
                rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
        }
        self.check(rest.len())?;
        self.line.extend_from_slice(rest);
        Ok(())
    }

    /// Skips the byte order mark, which may come in pieces.
    fn without_bom<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let mut rest = bytes;
        while let Some(seen) = self.bom {
            let Some((first, after)) = rest.split_first() else { break };
            let Some(expected) = BOM.get(seen) else {
                self.bom = None;
                break;
            };
            if first != expected {
                // It was the beginning of a line.
                self.line.extend(BOM.iter().take(seen));
                self.bom = None;
                break;
            }
            self.bom = Some(seen.saturating_add(1));
            rest = after;
        }
        rest
    }

    /// Whether `more` bytes of the current line fit into the limit.
    fn check(&self, more: usize) -> Result<(), TooLarge> {
        let size =
            self.data.len().saturating_add(self.event.len()).saturating_add(self.line.len()).saturating_add(more);
        if size > self.limit { Err(TooLarge { limit: self.limit }) } else { Ok(()) }
    }

    fn end_line(&mut self, line: &[u8], sink: &mut impl FnMut(Event)) {
        if line.is_empty() {
            return self.dispatch(sink);
        }
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let name = parts.next().unwrap_or_default();
        let value = parts.next().unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => {
                self.data.push_str(&String::from_utf8_lossy(value));
                self.data.push('\n');
            }
            b"event" => self.event = String::from_utf8_lossy(value).into_owned(),
            b"id" if !value.contains(&0) => self.id = String::from_utf8_lossy(value).into_owned(),
            b"retry" => {
                if let Some(time) = digits(value) {
                    self.retry = Some(time);
                    self.last_retry = Some(time);
                }
            }
            b"" => self.comments = self.comments.saturating_add(1),
            _ => {}
        }
    }

    fn dispatch(&mut self, sink: &mut impl FnMut(Event)) {
        if self.last_id != self.id {
            self.last_id.clone_from(&self.id);
        }
        let mut data = core::mem::take(&mut self.data);
        let event = core::mem::take(&mut self.event);
        let retry = self.retry.take();
        // Without data there is no event. The last line feed is none of the data.
        if data.pop().is_some() {
            let event = if event.is_empty() { "message".into() } else { event };
            sink(Event { event, data, id: self.last_id.clone(), retry });
        }
    }
}

/// The first line, the byte that ends it, and the bytes after that.
fn split_line(bytes: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let at = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
    let (line, rest) = bytes.split_at_checked(at)?;
    let (end, after) = rest.split_first()?;
    Some((line, *end, after))
}

/// A number of nothing but ASCII digits. One that has no room is the largest there is.
fn digits(value: &[u8]) -> Option<Millis> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = value
        .iter()
        .fold(0_u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit.wrapping_sub(b'0'))));
    Some(Millis(number))
}
