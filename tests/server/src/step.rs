//! One step of a script: everything that is done to one request. Every field is optional; README.md describes them.

use serde::Deserialize;
use serde_json::Value;

use crate::body::{ByteSpan, Chunk, Drip, Split};
use crate::cors::{Cors, Preflight};
use crate::headers::{HeaderList, is_legal_value};
use crate::orders::Faults;

/// What happens to one request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Step {
    // Before the answer.
    pub(crate) read_body: ReadBody,
    pub(crate) commit: bool,
    pub(crate) gate: Option<String>,
    pub(crate) delay: u64,
    pub(crate) before: Option<Before>,
    /// The order service answers in place of all else.
    pub(crate) orders: Option<Faults>,

    // The head.
    pub(crate) status: Option<u16>,
    pub(crate) headers: HeaderList,
    pub(crate) cors: Cors,
    pub(crate) preflight: Preflight,
    pub(crate) redirect: Option<Redirect>,
    pub(crate) connection: ConnectionHeader,

    // The body: at most one source.
    pub(crate) body: Option<String>,
    pub(crate) body_base64: Option<String>,
    pub(crate) json: Option<Value>,
    pub(crate) echo: bool,
    #[serde(rename = "static")]
    pub(crate) file: bool,
    pub(crate) bytes: Option<ByteSpan>,
    pub(crate) fill: Option<String>,
    pub(crate) chunks: Option<Vec<Chunk>>,
    pub(crate) drip: Option<Drip>,
    pub(crate) split: Option<Split>,
    pub(crate) gzip: bool,

    // The framing: at most one.
    pub(crate) chunked: bool,
    pub(crate) content_length: Option<u64>,
    pub(crate) http10: bool,

    // The end.
    pub(crate) end: End,
    pub(crate) goaway: bool,
    pub(crate) rst_stream: Option<u32>,
    pub(crate) drop_connection: bool,
}

/// How much of the request body is read before the step goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReadBody {
    /// To its end.
    #[default]
    All,
    /// Until its first bytes are here.
    First,
    /// Not at all.
    None,
}

/// A fault in place of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Before {
    /// RST (HTTP/2: RST_STREAM).
    Reset,
    /// FIN without an answer.
    Fin,
    /// No answer, the connection stays open.
    Hang,
}

/// What follows the last byte of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum End {
    /// The message ends as HTTP wants it.
    #[default]
    Fin,
    /// Silence, the connection stays open.
    Hang,
    /// FIN in the middle of the message.
    Cut,
    /// RST in the middle of the message (HTTP/2: RST_STREAM).
    Reset,
}

/// Whether the connection is used for another request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ConnectionHeader {
    #[default]
    KeepAlive,
    Close,
}

/// A redirect; its CORS headers are the step's.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Redirect {
    #[serde(default = "Redirect::found")]
    pub(crate) status: u16,
    pub(crate) to: String,
}

impl Redirect {
    fn found() -> u16 {
        302
    }
}

impl Step {
    /// A plain JSON answer of the server's own.
    pub(crate) fn json(status: u16, value: Value) -> Self {
        Self { status: Some(status), json: Some(value), ..Self::default() }
    }

    /// The static file of the requested path.
    pub(crate) fn static_file() -> Self {
        Self { file: true, ..Self::default() }
    }

    /// Refuses what would otherwise be ignored or be a coin toss.
    pub(crate) fn validate(&self, http2: bool) -> Result<(), String> {
        let sources = [
            self.body.is_some(),
            self.body_base64.is_some(),
            self.json.is_some(),
            self.echo,
            self.file,
            self.bytes.is_some(),
            self.chunks.is_some(),
            self.drip.is_some(),
            self.orders.is_some(),
        ];
        let framings = [self.chunked, self.content_length.is_some(), self.http10];
        let resets = self.before == Some(Before::Reset) || self.end == End::Reset;
        let one_piece = self.chunks.is_none() && self.drip.is_none();
        let rules = [
            (count(sources) > 1, "at most one of body, bodyBase64, json, echo, static, bytes, chunks, drip, orders"),
            (count(framings) > 1, "at most one of chunked, contentLength, http10"),
            (self.status.is_some() && self.redirect.is_some(), "the status of a redirect is redirect.status"),
            (self.fill.is_some() && self.bytes.is_none(), "fill belongs to bytes"),
            (self.fill.as_deref() == Some(""), "fill is a text of at least one byte"),
            (self.split.is_some() && !one_piece, "split cuts a body of one piece, not chunks or drip"),
            (http2 && (self.chunked || self.http10), "chunked and http10 are HTTP/1.1 framings"),
            (http2 && self.connection == ConnectionHeader::Close, "HTTP/2 closes a connection with goaway"),
            (
                !http2 && (self.goaway || self.rst_stream.is_some() || self.drop_connection),
                "goaway, rstStream and dropConnection are for HTTP/2 origins",
            ),
            (
                (self.drop_connection || self.rst_stream.is_some()) && !resets,
                "dropConnection and rstStream say how a reset of before or end happens",
            ),
        ];
        if let Some((_, rule)) = rules.iter().find(|(broken, _)| *broken) {
            return Err((*rule).to_owned());
        }
        let status = self.redirect.as_ref().map_or(self.status, |redirect| Some(redirect.status));
        if status.is_some_and(|status| !(200..=599).contains(&status)) {
            return Err("status is 200 to 599".to_owned());
        }
        if self.redirect.as_ref().is_some_and(|redirect| !is_legal_value(&redirect.to)) {
            return Err("redirect.to is a header's value".to_owned());
        }
        if self.preflight.status.is_some_and(|status| !(200..=599).contains(&status)) {
            return Err("preflight.status is 200 to 599".to_owned());
        }
        if let Some(split) = &self.split {
            split.validate()?;
        }
        self.body_source().map(drop)
    }
}

fn count<const N: usize>(flags: [bool; N]) -> usize {
    flags.into_iter().filter(|flag| *flag).count()
}
