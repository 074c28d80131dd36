//! Request bodies that are streams of Rust.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;

use super::sim::{client, requests, run};
use crate::testing::{self, Reply, Script};
use crate::{Body, ErrorKind, Outcome, Retry, RetryStopped};

/// Chunks that are there at once; `None` is an error.
struct Pieces {
    rest: std::vec::IntoIter<Option<&'static str>>,
    _alive: Rc<()>,
}

impl Stream for Pieces {
    type Item = Result<String, &'static str>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.rest.next().map(|piece| piece.map(str::to_owned).ok_or("S3CRET")))
    }
}

/// The body, and what lives as long as its stream.
fn body(pieces: Vec<Option<&'static str>>) -> (Body, Rc<()>) {
    let alive = Rc::new(());
    (Body::from_stream(Pieces { rest: pieces.into_iter(), _alive: alive.clone() }), alive)
}

fn api(script: &Script) -> crate::Client {
    script.client().base_url("https://api.test/").retry(Retry::new().delay(Duration::ZERO)).build().unwrap()
}

#[test]
fn a_stream_is_sent_chunk_by_chunk() {
    let script = Script::new();
    script.reply(Reply::new(201));
    let (body, alive) = body(vec![Some("a"), Some(""), Some("bc")]);
    let response = testing::run(async { api(&script).put("a").body(body).await }).unwrap();
    assert_eq!((response.status(), script.requests()[0].body()), (201, Some(&b"abc"[..])));
    assert_eq!(Rc::strong_count(&alive), 1, "the stream is gone");
}

#[test]
fn a_stream_is_sent_once() {
    let script = Script::new();
    script.reply(Reply::lost());
    let (body, _) = body(vec![Some("a")]);
    let request = api(&script).put("a").body(body);
    assert!(request.try_clone().is_none());
    let error = testing::run(async { request.await }).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Network, Outcome::Unknown));
    assert_eq!((error.attempts().len(), error.retry_stopped()), (1, Some(RetryStopped::Body)));
}

#[test]
fn a_stream_that_breaks_breaks_the_request_off() {
    let script = Script::new();
    let (body, _) = body(vec![Some("a"), None, Some("b")]);
    let error = testing::run(async { api(&script).put("a").body(body).await }).unwrap_err();
    assert_eq!((error.kind(), error.attempts().len()), (ErrorKind::Network, 1));
    assert!(!format!("{error} {error:?}").contains("S3CRET"));
}

#[test]
fn a_stream_that_is_not_sent_is_let_go() {
    let (body, alive) = body(vec![Some("a")]);
    let api = client(Vec::new()).build().unwrap();
    let call = api.put("a").body(body).send();
    api.close();
    assert_eq!(run(call).unwrap_err().kind(), ErrorKind::Aborted);
    assert_eq!(Rc::strong_count(&alive), 1);
}

#[test]
fn a_transport_that_streams_no_uploads_says_so() {
    let (body, _) = body(vec![Some("a")]);
    let error = run(client(Vec::new()).build().unwrap().put("a").body(body).send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Unsupported, Outcome::NotSent));
    assert!(error.to_string().contains("this transport streams no request body"), "{error}");
    assert!(requests().is_empty());
}
