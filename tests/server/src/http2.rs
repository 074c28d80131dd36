//! HTTP/2 over TLS, with the frames that end streams and connections early.

use std::future::{Future, poll_fn};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use h2::server::SendResponse;
use h2::{Reason, RecvStream, SendStream};
use http::Response;
use tokio::io::AsyncReadExt as _;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::request::{ConnectionUse, Request};
use crate::service::Service;
use crate::socket::Socket;
use crate::step::ReadBody;
use crate::tls;
use crate::transport::{ClientGone, Ending, Framing, Head, Http2Fault, Transport};

/// How long a connection that got FIN from us may go on sending: closing with unread bytes turns FIN into RST.
const LINGER: Duration = Duration::from_secs(2);

/// What a stream asks of its connection.
enum Order {
    /// GOAWAY; streams that exist are finished.
    Goaway,
    /// GOAWAY with that code; streams that exist are lost.
    GoawayNow(Reason),
    /// FIN without GOAWAY.
    Fin,
    /// RST.
    Reset,
}

/// Serves the streams of a connection side by side.
pub(crate) async fn serve(io: tls::Stream, socket: Socket, id: u64, service: Service) {
    let handshake = h2::server::Builder::new()
        .max_concurrent_streams(1000)
        .initial_window_size(1 << 20)
        .initial_connection_window_size(4 << 20)
        .handshake(io)
        .await;
    let Ok(mut connection) = handshake else { return };
    let (orders, mut inbox): (_, UnboundedReceiver<Order>) = unbounded_channel();
    let mut streams = JoinSet::new();
    let mut reused = false;
    loop {
        tokio::select! {
            // Accepting also writes: what a stream sent before it gave an order leaves before the order is obeyed.
            biased;
            accepted = connection.accept() => {
                let Some(Ok((request, respond))) = accepted else { break };
                let (parts, body) = request.into_parts();
                let request = head_of(&parts, ConnectionUse { id, reused });
                reused = true;
                let stream = Http2 {
                    body,
                    respond,
                    send: None,
                    orders: orders.clone(),
                    lost: false,
                };
                let service = service.clone();
                streams.spawn(async move {
                    let mut stream = stream;
                    service.serve(&mut stream, &request).await;
                    if stream.lost {
                        // Dropping the stream would reset it, ahead of what is to happen to the connection.
                        poll_fn(|cx| stream.poll_gone(cx)).await;
                    }
                });
            }
            Some(order) = inbox.recv() => match order {
                Order::Goaway => connection.graceful_shutdown(),
                Order::GoawayNow(reason) => connection.abrupt_shutdown(reason),
                Order::Fin => {
                    socket.finish();
                    return drain(socket).await;
                }
                Order::Reset => return socket.reset_on_close(),
            },
            Some(_) = streams.join_next() => {}
        }
    }
    // The connection is gone: every stream notices, and its entry says so.
    drop(connection);
    while streams.join_next().await.is_some() {}
    // Where we were first to end it, with GOAWAY.
    drain(socket).await;
}

fn head_of(parts: &http::request::Parts, connection: ConnectionUse) -> Request {
    let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
    let headers = parts.headers.iter().map(|(name, value)| {
        let value = value.as_bytes().iter().copied().map(char::from).collect();
        (name.as_str().to_owned(), value)
    });
    Request {
        method: parts.method.as_str().to_owned(),
        target: target.to_owned(),
        headers: headers.collect(),
        connection,
    }
}

async fn drain(mut socket: Socket) {
    let mut rest = BytesMut::with_capacity(16 * 1024);
    let read = async {
        while matches!(socket.read_buf(&mut rest).await, Ok(1..)) {
            rest.clear();
        }
    };
    let _ = tokio::time::timeout(LINGER, read).await;
}

/// One stream.
struct Http2 {
    body: RecvStream,
    respond: SendResponse<Bytes>,
    /// Set once the head is out.
    send: Option<SendStream<Bytes>>,
    orders: UnboundedSender<Order>,
    /// Whether it ends with its connection and in no way of its own.
    lost: bool,
}

impl Http2 {
    /// Ready when the client has reset the stream or the connection is gone.
    fn poll_gone(&mut self, cx: &mut Context<'_>) -> Poll<ClientGone> {
        let reset = match &mut self.send {
            Some(send) => send.poll_reset(cx),
            None => self.respond.poll_reset(cx),
        };
        reset.map(|_| ClientGone)
    }

    /// Waits until some of `wanted` bytes may be sent.
    async fn capacity(&mut self, wanted: usize) -> Result<usize, ClientGone> {
        let send = self.send.as_mut().ok_or(ClientGone)?;
        send.reserve_capacity(wanted);
        poll_fn(|cx| {
            if send.poll_reset(cx).is_ready() {
                return Poll::Ready(Err(ClientGone));
            }
            match ready!(send.poll_capacity(cx)) {
                Some(Ok(capacity)) => Poll::Ready(Ok(capacity)),
                Some(Err(_)) | None => Poll::Ready(Err(ClientGone)),
            }
        })
        .await
    }

    /// Has the connection end, and this stream with it.
    fn end_connection(&mut self, order: Order) {
        self.lost = true;
        self.order(order);
    }

    fn order(&self, order: Order) {
        // Without a connection there is nothing left to end.
        let _ = self.orders.send(order);
    }
}

impl Transport for Http2 {
    async fn read_body(&mut self, extent: ReadBody, mut on_data: impl FnMut(&[u8]) + Send) -> Result<(), ClientGone> {
        if extent == ReadBody::None {
            return Ok(());
        }
        while let Some(part) = self.body.data().await {
            let part = part.map_err(|_| ClientGone)?;
            // Fails only on a stream that is over, which the next read tells.
            let _ = self.body.flow_control().release_capacity(part.len());
            on_data(&part);
            if extent == ReadBody::First && !part.is_empty() {
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
            gone = poll_fn(|cx| self.poll_gone(cx)) => Err(gone),
        }
    }

    async fn send_head(&mut self, head: Head) -> Result<(), ClientGone> {
        let mut response = Response::builder().status(head.status);
        for (name, value) in &head.headers {
            response = response.header(name, value);
        }
        let length = match head.framing {
            Framing::None { announced } => announced,
            Framing::Length(length) => Some(length),
            Framing::Chunked | Framing::UntilClose => None,
        };
        if let Some(length) = length {
            response = response.header("content-length", length);
        }
        let response = response.body(()).map_err(|_| ClientGone)?;
        let ends = matches!(head.framing, Framing::None { .. });
        let send = self.respond.send_response(response, ends).map_err(|_| ClientGone)?;
        self.send = Some(send);
        Ok(())
    }

    async fn send_data(&mut self, mut data: Bytes) -> Result<(), ClientGone> {
        while !data.is_empty() {
            let capacity = self.capacity(data.len()).await?;
            let part = data.split_to(capacity.min(data.len()));
            let send = self.send.as_mut().ok_or(ClientGone)?;
            send.send_data(part, false).map_err(|_| ClientGone)?;
        }
        Ok(())
    }

    /// The connection writes as soon as it can.
    async fn flush(&mut self) -> Result<(), ClientGone> {
        Ok(())
    }

    async fn end(&mut self, ending: Ending, fault: Http2Fault) -> Result<(), ClientGone> {
        let reason = fault.rst_stream.map(Reason::from);
        match ending {
            Ending::Complete => {
                if let Some(send) = &mut self.send {
                    // Refused where the head has ended the stream already, which is an end too.
                    let _ = send.send_data(Bytes::new(), true);
                }
                if fault.goaway {
                    self.order(Order::Goaway);
                }
            }
            Ending::Cut | Ending::Reset if fault.goaway => {
                self.end_connection(Order::GoawayNow(reason.unwrap_or(Reason::NO_ERROR)));
            }
            Ending::Cut => self.end_connection(Order::Fin),
            Ending::Reset if fault.drop_connection => self.end_connection(Order::Reset),
            Ending::Reset => {
                let reason = reason.unwrap_or(Reason::INTERNAL_ERROR);
                match &mut self.send {
                    Some(send) => send.send_reset(reason),
                    None => self.respond.send_reset(reason),
                }
            }
        }
        Ok(())
    }
}
