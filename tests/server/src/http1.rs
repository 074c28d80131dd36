//! HTTP/1.1 by hand: a library would not let a message be framed wrongly, or broken off at a chosen byte.

use std::future::Future;
use std::time::Duration;

use bytes::{Buf as _, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadHalf, WriteHalf};

use crate::http1_head::{self, BodyLength, RequestHead};
use crate::request::{ConnectionUse, Request};
use crate::service::Service;
use crate::socket::Socket;
use crate::step::ReadBody;
use crate::transport::{ClientGone, Ending, Framing, Head, Http2Fault, Transport};

/// Pipelined bytes that are taken in while an answer is under way. Beyond it reading stops, as it must somewhere.
const READ_AHEAD: usize = 64 * 1024;
/// How long, and how many bytes, a client may go on sending after we have said our last: closing a socket with unread
/// bytes turns FIN into RST.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: usize = 64 * 1024 * 1024;

/// Serves the requests of a connection one after the other.
pub(crate) async fn serve<IO>(io: IO, socket: Socket, id: u64, service: Service)
where
    IO: AsyncRead + AsyncWrite + Send,
{
    let mut http1 = Http1::new(io, socket);
    let mut reused = false;
    loop {
        let head = match http1.read_head().await {
            Ok(Some(head)) => head,
            Ok(None) => break,
            Err(status) => {
                http1.refuse(status).await;
                break;
            }
        };
        let RequestHead { method, target, headers, .. } = head;
        let request = Request { method, target, headers, connection: ConnectionUse { id, reused } };
        service.serve(&mut http1, &request).await;
        reused = true;
        if http1.after != After::KeepAlive {
            break;
        }
    }
    http1.close().await;
}

/// What becomes of the connection after the exchange under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    KeepAlive,
    /// An orderly end: with TLS, `close_notify` first.
    Close,
    /// FIN alone.
    Cut,
    Reset,
    /// The client was first.
    Gone,
}

struct Http1<IO> {
    reader: ReadHalf<IO>,
    writer: WriteHalf<IO>,
    socket: Socket,
    input: BytesMut,
    output: Vec<u8>,
    /// What is left of the request body.
    body: BodyLength,
    continue_expected: bool,
    framing: Framing,
    /// Body bytes sent, which a wrong Content-Length is compared with.
    sent: u64,
    after: After,
}

impl<IO: AsyncRead + AsyncWrite + Send> Http1<IO> {
    fn new(io: IO, socket: Socket) -> Self {
        let (reader, writer) = tokio::io::split(io);
        Self {
            reader,
            writer,
            socket,
            input: BytesMut::with_capacity(8 * 1024),
            output: Vec::new(),
            body: BodyLength::Known(0),
            continue_expected: false,
            framing: Framing::Length(0),
            sent: 0,
            after: After::KeepAlive,
        }
    }

    /// The head of the next request; `None` when the client has no more; a status for what is not HTTP.
    async fn read_head(&mut self) -> Result<Option<RequestHead>, u16> {
        loop {
            if let Some(head) = http1_head::take(&mut self.input)? {
                self.body = head.body;
                self.continue_expected = head.expects_continue;
                self.sent = 0;
                if head.closes {
                    self.after = After::Close;
                }
                return Ok(Some(head));
            }
            match self.reader.read_buf(&mut self.input).await {
                Ok(0) | Err(_) => return Ok(None),
                Ok(_) => {}
            }
        }
    }

    /// The next part of the request body, `None` at its end.
    async fn next_part(&mut self) -> Result<Option<Bytes>, ClientGone> {
        loop {
            match self.body.take(&mut self.input) {
                Ok(Some(part)) => return Ok(Some(part)),
                Ok(None) if self.body == BodyLength::Known(0) => return Ok(None),
                Ok(None) => {}
                // A chunk size that is none: there is no telling what the client means from here on.
                Err(()) => return Err(self.gone()),
            }
            if std::mem::take(&mut self.continue_expected) {
                self.output.extend_from_slice(b"HTTP/1.1 100 Continue\r\n\r\n");
                self.flush().await?;
            }
            match self.reader.read_buf(&mut self.input).await {
                Ok(0) | Err(_) => return Err(self.gone()),
                Ok(_) => {}
            }
        }
    }

    fn gone(&mut self) -> ClientGone {
        self.after = After::Gone;
        ClientGone
    }

    /// Answers what could not be read as HTTP.
    async fn refuse(&mut self, status: u16) {
        let head = Head { status, headers: Vec::new(), framing: Framing::Length(0), close: true };
        if self.send_head(head).await.is_ok() {
            // The connection ends either way.
            let _ = self.flush().await;
        }
        self.after = After::Close;
    }

    /// Ends the connection in the way the last exchange asked for.
    async fn close(mut self) {
        match self.after {
            After::Gone | After::KeepAlive => return,
            After::Reset => return self.socket.reset_on_close(),
            After::Cut => self.socket.finish(),
            After::Close => {
                let _ = self.writer.shutdown().await;
            }
        }
        let mut drained = 0;
        let drain = async {
            while drained < LINGER_BYTES {
                self.input.clear();
                match self.reader.read_buf(&mut self.input).await {
                    Ok(0) | Err(_) => return,
                    Ok(read) => drained += read,
                }
            }
        };
        let _ = tokio::time::timeout(LINGER, drain).await;
    }
}

/// Ends when the client closes or resets. Bytes that arrive meanwhile are the next request, and are kept.
async fn client_leaves(reader: &mut (impl AsyncRead + Unpin), input: &mut BytesMut) {
    loop {
        if input.len() >= READ_AHEAD {
            return std::future::pending().await;
        }
        match reader.read_buf(input).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

impl<IO: AsyncRead + AsyncWrite + Send> Transport for Http1<IO> {
    async fn read_body(&mut self, extent: ReadBody, mut on_data: impl FnMut(&[u8]) + Send) -> Result<(), ClientGone> {
        if extent == ReadBody::None {
            return Ok(());
        }
        while let Some(part) = self.next_part().await? {
            on_data(&part);
            if extent == ReadBody::First {
                break;
            }
        }
        Ok(())
    }

    async fn while_open<F>(&mut self, work: F) -> Result<F::Output, ClientGone>
    where
        F: Future + Send,
        F::Output: Send,
    {
        tokio::select! {
            biased;
            output = work => Ok(output),
            () = client_leaves(&mut self.reader, &mut self.input) => Err(self.gone()),
        }
    }

    async fn send_head(&mut self, head: Head) -> Result<(), ClientGone> {
        self.framing = head.framing;
        if head.close || head.framing == Framing::UntilClose {
            self.after = After::Close;
        }
        http1_head::write(&head, self.after == After::Close, &mut self.output);
        Ok(())
    }

    async fn send_data(&mut self, data: Bytes) -> Result<(), ClientGone> {
        if data.is_empty() {
            return Ok(());
        }
        self.sent += data.len() as u64;
        if self.framing == Framing::Chunked {
            self.output.extend_from_slice(format!("{:x}\r\n", data.len()).as_bytes());
            self.output.extend_from_slice(&data);
            self.output.extend_from_slice(b"\r\n");
        } else {
            self.output.extend_from_slice(&data);
        }
        self.flush().await
    }

    async fn flush(&mut self) -> Result<(), ClientGone> {
        if self.output.is_empty() {
            return Ok(());
        }
        let write = async {
            self.writer.write_all(&self.output).await?;
            self.writer.flush().await
        };
        let written = tokio::select! {
            biased;
            written = write => written.is_ok(),
            () = client_leaves(&mut self.reader, &mut self.input) => false,
        };
        self.output.clear();
        if written { Ok(()) } else { Err(self.gone()) }
    }

    async fn end(&mut self, ending: Ending, _: Http2Fault) -> Result<(), ClientGone> {
        match ending {
            Ending::Complete => {
                if self.framing == Framing::Chunked {
                    self.output.extend_from_slice(b"0\r\n\r\n");
                }
                self.flush().await?;
                let wrong_length = matches!(self.framing, Framing::Length(length) if length != self.sent);
                // After a wrong length, or before the rest of an unread request, nobody knows where a message begins.
                if wrong_length || self.body != BodyLength::Known(0) {
                    self.after = After::Close;
                }
                Ok(())
            }
            Ending::Cut => {
                self.after = After::Cut;
                Ok(())
            }
            Ending::Reset => {
                self.after = After::Reset;
                Ok(())
            }
        }
    }
}

impl BodyLength {
    /// Takes what is at hand of the body off `input`; `Ok(None)` when more must be read, or nothing is left.
    fn take(&mut self, input: &mut BytesMut) -> Result<Option<Bytes>, ()> {
        loop {
            match *self {
                Self::Known(left) => {
                    let length = left.min(input.len() as u64) as usize;
                    *self = Self::Known(left - length as u64);
                    return Ok((length > 0).then(|| input.split_to(length).freeze()));
                }
                Self::InChunk(left) => {
                    let length = left.min(input.len() as u64) as usize;
                    if length > 0 {
                        *self = Self::InChunk(left - length as u64);
                        return Ok(Some(input.split_to(length).freeze()));
                    }
                    if left > 0 || input.len() < 2 {
                        return Ok(None);
                    }
                    input.advance(2);
                    *self = Self::ChunkSize;
                }
                Self::ChunkSize => {
                    let Some(line) = http1_head::take_line(input) else { return Ok(None) };
                    let digits = line.split(';').next().unwrap_or_default().trim();
                    let size = u64::from_str_radix(digits, 16).map_err(|_| ())?;
                    *self = if size == 0 { Self::Trailers } else { Self::InChunk(size) };
                }
                Self::Trailers => {
                    let Some(line) = http1_head::take_line(input) else { return Ok(None) };
                    if line.is_empty() {
                        *self = Self::Known(0);
                        return Ok(None);
                    }
                }
            }
        }
    }
}
