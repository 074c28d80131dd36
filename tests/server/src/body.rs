//! The body of an answer as a sequence of pieces, so that 200 MB need no more memory than one block.

use std::collections::VecDeque;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;

use crate::fill::{Fill, Span};
use crate::step::Step;

/// `bytes`: a number, or the part from `start` (inclusive) to `end` (exclusive) of such a body, for answers to Range.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum ByteSpan {
    Length(u64),
    Part(Part),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Part {
    start: u64,
    end: u64,
}

/// One entry of `chunks`: waits, then sends.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Chunk {
    text: Option<String>,
    base64: Option<String>,
    bytes: Option<u64>,
    delay: u64,
    gate: Option<String>,
}

/// The same piece again and again.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Drip {
    text: Option<String>,
    bytes: Option<u64>,
    every: u64,
    /// Absent: for ever.
    count: Option<u64>,
}

/// Cuts a body into flushes of these sizes, over and over.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Split {
    sizes: Vec<usize>,
    #[serde(default)]
    delay: u64,
}

impl Split {
    pub(crate) fn validate(&self) -> Result<(), String> {
        if self.sizes.is_empty() || self.sizes.contains(&0) {
            return Err("split.sizes are one or more sizes of at least 1".to_owned());
        }
        Ok(())
    }
}

/// What one piece consists of.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    Bytes(Bytes),
    Generated(Span),
}

impl Data {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Generated(span) => span.len(),
        }
    }

    /// Takes the next block off the front: `None` when nothing is left.
    pub(crate) fn next_block(&mut self) -> Option<Bytes> {
        match self {
            Self::Bytes(bytes) => (!bytes.is_empty()).then(|| std::mem::take(bytes)),
            Self::Generated(span) => span.next_block(),
        }
    }
}

/// Data that is sent after a wait.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) gate: Option<String>,
    pub(crate) delay: u64,
    pub(crate) data: Data,
}

/// Where the pieces come from, and what is known of them before they are sent.
#[derive(Debug)]
pub(crate) struct BodySource {
    /// `None`: not known, or endless.
    pub(crate) length: Option<u64>,
    /// For the answer's Content-Type if the script gives none; `None` for a step without a body.
    pub(crate) content_type: Option<&'static str>,
    pieces: Pieces,
}

#[derive(Debug)]
enum Pieces {
    Listed(VecDeque<Piece>),
    Repeated { piece: Piece, left: Option<u64> },
    Split { data: Data, rest: Bytes, sizes: Vec<usize>, at: usize, delay: u64 },
}

impl BodySource {
    /// A body of one piece, which is at hand at once.
    pub(crate) fn whole(data: Data, content_type: Option<&'static str>) -> Self {
        let length = Some(data.len());
        let piece = Piece { gate: None, delay: 0, data };
        Self { length, content_type, pieces: Pieces::Listed(VecDeque::from([piece])) }
    }

    /// The next piece, or `None` at the end.
    pub(crate) fn next_piece(&mut self) -> Option<Piece> {
        match &mut self.pieces {
            Pieces::Listed(list) => list.pop_front(),
            Pieces::Repeated { piece, left } => match left {
                Some(0) => None,
                Some(count) => {
                    *count -= 1;
                    Some(piece.clone())
                }
                None => Some(piece.clone()),
            },
            Pieces::Split { data, rest, sizes, at, delay } => {
                if rest.is_empty() {
                    *rest = data.next_block()?;
                }
                let size = sizes[*at % sizes.len()].min(rest.len());
                *at += 1;
                Some(Piece { gate: None, delay: *delay, data: Data::Bytes(rest.split_to(size)) })
            }
        }
    }

    /// The single piece of a body that has one, taken out: what can be compressed as a whole.
    pub(crate) fn take_whole(&mut self) -> Option<Data> {
        match &mut self.pieces {
            Pieces::Listed(list) if list.len() == 1 && self.length.is_some() => {
                list.pop_front().map(|piece| piece.data)
            }
            _ => None,
        }
    }

    /// The same body, cut into flushes.
    pub(crate) fn split(mut self, split: &Split) -> Self {
        if let Some(data) = self.take_whole() {
            self.pieces =
                Pieces::Split { data, rest: Bytes::new(), sizes: split.sizes.clone(), at: 0, delay: split.delay };
        }
        self
    }
}

impl Chunk {
    fn piece(&self) -> Result<Piece, String> {
        let data = match (&self.text, &self.base64, self.bytes) {
            (Some(text), None, None) => Data::Bytes(Bytes::from(text.clone())),
            (None, Some(text), None) => Data::Bytes(decode_base64(text)?),
            (None, None, Some(length)) => Data::Generated(Span::new(0, length, Fill::Counter)),
            _ => return Err("a chunk has one of text, base64, bytes".to_owned()),
        };
        Ok(Piece { gate: self.gate.clone(), delay: self.delay, data })
    }
}

impl Drip {
    fn piece(&self) -> Result<Piece, String> {
        let data = match (&self.text, self.bytes) {
            (Some(text), None) if !text.is_empty() => Data::Bytes(Bytes::from(text.clone())),
            (None, Some(length)) if length > 0 => Data::Generated(Span::new(0, length, Fill::Counter)),
            _ => return Err("drip has one of text, bytes, and it is not empty".to_owned()),
        };
        Ok(Piece { gate: None, delay: self.every, data })
    }
}

impl Step {
    /// The body that the step itself describes. `echo` and `static` need the request: see `answer`.
    pub(crate) fn body_source(&self) -> Result<BodySource, String> {
        const TEXT: &str = "text/plain; charset=utf-8";
        const BINARY: &str = "application/octet-stream";
        if let Some(text) = &self.body {
            let data = Data::Bytes(Bytes::from(text.clone()));
            return Ok(BodySource::whole(data, Some(TEXT)));
        }
        if let Some(text) = &self.body_base64 {
            let data = Data::Bytes(decode_base64(text)?);
            return Ok(BodySource::whole(data, Some(BINARY)));
        }
        if let Some(value) = &self.json {
            let data = Data::Bytes(Bytes::from(value.to_string()));
            return Ok(BodySource::whole(data, Some("application/json")));
        }
        if let Some(span) = self.bytes {
            let (start, end) = match span {
                ByteSpan::Length(length) => (0, length),
                ByteSpan::Part(Part { start, end }) if start <= end => (start, end),
                ByteSpan::Part(_) => return Err("bytes.start is at most bytes.end".to_owned()),
            };
            let fill = match &self.fill {
                Some(text) => Fill::Text(Bytes::from(text.clone())),
                None => Fill::Counter,
            };
            let data = Data::Generated(Span::new(start, end, fill));
            return Ok(BodySource::whole(data, Some(BINARY)));
        }
        if let Some(chunks) = &self.chunks {
            let pieces = chunks.iter().map(Chunk::piece).collect::<Result<VecDeque<_>, _>>()?;
            return Ok(BodySource { length: None, content_type: Some(TEXT), pieces: Pieces::Listed(pieces) });
        }
        if let Some(drip) = &self.drip {
            return Ok(BodySource {
                length: None,
                content_type: Some(TEXT),
                pieces: Pieces::Repeated { piece: drip.piece()?, left: drip.count },
            });
        }
        Ok(BodySource::whole(Data::Bytes(Bytes::new()), None))
    }
}

fn decode_base64(text: &str) -> Result<Bytes, String> {
    STANDARD.decode(text).map(Bytes::from).map_err(|error| format!("base64: {error}"))
}
