//! Plays the step of a request on the connection it came by.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::answer::Answer;
use crate::cors::{Cors, Preflight};
use crate::entry::Entry;
use crate::origin::Origin;
use crate::report::{KEPT_BODY, State};
use crate::request::Request;
use crate::step::{Before, End, ReadBody, Step};
use crate::transport::{ClientGone, Ending, Framing, Head, Http2Fault, Transport};

/// Serves one request of an origin, and keeps the report.
pub(crate) async fn serve(origin: &Arc<Origin>, transport: &mut impl Transport, request: &Request) {
    let (step, mut entry) = origin.begin(request);
    let result = if entry.is_preflight() {
        preflight(&step.preflight, &step.cors, transport, request).await
    } else {
        play(&step, origin, transport, request, &mut entry).await
    };
    entry.end(match result {
        Ok(Ending::Complete) => State::Completed,
        Ok(Ending::Cut | Ending::Reset) => State::Faulted,
        Err(ClientGone) => State::Closed,
    });
}

async fn play(
    step: &Step,
    origin: &Arc<Origin>,
    transport: &mut impl Transport,
    request: &Request,
    entry: &mut Entry,
) -> Result<Ending, ClientGone> {
    let mut kept = Vec::new();
    let mut received = 0;
    let reading = transport.read_body(step.read_body, |part| {
        received += part.len() as u64;
        let room = KEPT_BODY.saturating_sub(kept.len()).min(part.len());
        kept.extend_from_slice(&part[..room]);
    });
    let read = reading.await;
    entry.received(received, &kept);
    read?;
    if step.commit {
        entry.committed();
    }
    if let Some(gate) = &step.gate {
        transport.while_open(origin.gate(gate)).await?;
    }
    pause(transport, step.delay).await?;

    let made = step.orders.map(|faults| Step { cors: step.cors.clone(), ..origin.orders.step(faults, request) });
    let step = made.as_ref().unwrap_or(step);
    let fault = Http2Fault { goaway: step.goaway, rst_stream: step.rst_stream, drop_connection: step.drop_connection };
    match step.before {
        Some(Before::Reset) => return finish(transport, Ending::Reset, fault).await,
        Some(Before::Fin) => return finish(transport, Ending::Cut, fault).await,
        Some(Before::Hang) => return hang(transport).await,
        None => {}
    }

    let answer = Answer::new(step, request, &kept, received, &origin.statics);
    send(answer, origin, transport, entry).await?;
    match step.end {
        End::Fin => finish(transport, Ending::Complete, fault).await,
        End::Cut => finish(transport, Ending::Cut, fault).await,
        End::Reset => finish(transport, Ending::Reset, fault).await,
        End::Hang => hang(transport).await,
    }
}

async fn send(
    answer: Answer,
    origin: &Arc<Origin>,
    transport: &mut impl Transport,
    entry: &mut Entry,
) -> Result<(), ClientGone> {
    let Answer { head, mut body, mut gzip } = answer;
    let without_body = matches!(head.framing, Framing::None { .. });
    transport.send_head(head).await?;
    entry.answered();
    if without_body {
        return transport.flush().await;
    }
    while let Some(mut piece) = body.next_piece() {
        if piece.gate.is_some() || piece.delay > 0 {
            transport.flush().await?;
        }
        if let Some(gate) = &piece.gate {
            transport.while_open(origin.gate(gate)).await?;
        }
        pause(transport, piece.delay).await?;
        while let Some(block) = piece.data.next_block() {
            let block = match &mut gzip {
                Some(gzip) => gzip.push(&block),
                None => block,
            };
            send_block(transport, entry, block).await?;
        }
    }
    if let Some(gzip) = gzip {
        send_block(transport, entry, gzip.finish()).await?;
    }
    transport.flush().await
}

async fn send_block(transport: &mut impl Transport, entry: &mut Entry, block: Bytes) -> Result<(), ClientGone> {
    let length = block.len();
    transport.send_data(block).await?;
    entry.sent(length);
    Ok(())
}

/// Answers a preflight. On HTTP/1.1 the connection closes with it: else the request that follows would come by a used
/// connection, and a browser sends such a request again by itself when the connection is reset.
pub(crate) async fn preflight(
    preflight: &Preflight,
    cors: &Cors,
    transport: &mut impl Transport,
    request: &Request,
) -> Result<Ending, ClientGone> {
    transport.read_body(ReadBody::All, |_| {}).await?;
    pause(transport, preflight.delay).await?;
    let status = preflight.status.unwrap_or(204);
    let framing = match status {
        204 | 304 => Framing::None { announced: None },
        _ => Framing::Length(0),
    };
    let headers = preflight.headers(cors, request);
    let head = Head { status, headers, framing, close: true };
    transport.send_head(head).await?;
    finish(transport, Ending::Complete, Http2Fault::default()).await
}

async fn pause(transport: &mut impl Transport, milliseconds: u64) -> Result<(), ClientGone> {
    if milliseconds == 0 {
        return Ok(());
    }
    let sleep = tokio::time::sleep(Duration::from_millis(milliseconds));
    transport.while_open(sleep).await
}

/// Says nothing more; over when the client has had enough.
async fn hang(transport: &mut impl Transport) -> Result<Ending, ClientGone> {
    transport.while_open(std::future::pending::<Ending>()).await
}

async fn finish(transport: &mut impl Transport, ending: Ending, fault: Http2Fault) -> Result<Ending, ClientGone> {
    transport.end(ending, fault).await?;
    Ok(ending)
}
