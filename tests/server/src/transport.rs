//! What HTTP/1.1 and HTTP/2 have in common for whoever plays a step on them.

use std::future::Future;

use bytes::Bytes;

use crate::step::ReadBody;

/// The client closed the connection, or reset the stream, before the step was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClientGone;

/// The head of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Without those of the framing and of the connection.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) framing: Framing,
    /// Whether the answer says that the connection ends with it.
    pub(crate) close: bool,
}

/// How a client is told where the body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// No body by definition: 204, 304. HEAD announces a length if one is known.
    None { announced: Option<u64> },
    /// Content-Length, right or wrong.
    Length(u64),
    /// `Transfer-Encoding: chunked`; on HTTP/2 plain DATA frames.
    Chunked,
    /// HTTP/1.0: the body ends when the connection does.
    UntilClose,
}

/// How an exchange ends when the script, not the client, ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// As HTTP wants it.
    Complete,
    /// FIN, wherever the message stands.
    Cut,
    /// RST, or RST_STREAM on HTTP/2.
    Reset,
}

/// What only HTTP/2 can do to make an ending worse.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Http2Fault {
    /// GOAWAY goes first.
    pub(crate) goaway: bool,
    /// Code of the RST_STREAM.
    pub(crate) rst_stream: Option<u32>,
    /// The whole TCP connection dies, not only the stream.
    pub(crate) drop_connection: bool,
}

/// One request and the way back to its client. Every wait also ends when the client goes away.
pub(crate) trait Transport {
    /// Reads the body of the request as far as `extent` says and hands each part on.
    fn read_body(
        &mut self,
        extent: ReadBody,
        on_data: impl FnMut(&[u8]) + Send,
    ) -> impl Future<Output = Result<(), ClientGone>> + Send;

    /// Waits for `work`, but no longer than the client does.
    fn while_open<F>(&mut self, work: F) -> impl Future<Output = Result<F::Output, ClientGone>> + Send
    where
        F: Future + Send,
        F::Output: Send;

    /// Sends the head; it may stay in a buffer until `flush` or the first data.
    fn send_head(&mut self, head: Head) -> impl Future<Output = Result<(), ClientGone>> + Send;

    /// Sends a part of the body.
    fn send_data(&mut self, data: Bytes) -> impl Future<Output = Result<(), ClientGone>> + Send;

    /// Sends what is buffered.
    fn flush(&mut self) -> impl Future<Output = Result<(), ClientGone>> + Send;

    /// Ends the exchange.
    fn end(&mut self, ending: Ending, fault: Http2Fault) -> impl Future<Output = Result<(), ClientGone>> + Send;
}
