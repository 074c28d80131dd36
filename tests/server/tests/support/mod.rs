//! A server in the test's own process, and a client that sees every byte.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::io;
use std::time::Duration;

use serde_json::{Value, json};
use steadfetch_fault_server::{Server, StaticFiles};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Far above what any step of a test takes, so that a hang fails and does not hang.
const PATIENCE: Duration = Duration::from_secs(10);

/// A running fault server.
pub(crate) struct Fixture {
    control: String,
}

impl Fixture {
    pub(crate) async fn start() -> Self {
        Self::with_statics(StaticFiles::default()).await
    }

    pub(crate) async fn with_statics(statics: StaticFiles) -> Self {
        let server = Server::bind(0, statics).await.expect("a port");
        let control = authority(&server.control());
        tokio::spawn(server.run());
        Self { control }
    }

    /// A control request that must succeed.
    pub(crate) async fn call(&self, method: &str, path: &str, body: Value) -> Value {
        let (status, answer) = self.try_call(method, path, body).await;
        assert_eq!(status, 200, "{method} {path}: {answer}");
        answer
    }

    pub(crate) async fn try_call(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let answer = self.raw_call(method, path, &body.to_string()).await;
        let body = serde_json::from_slice(&answer.body).expect("JSON");
        (answer.status, body)
    }

    /// A request to the control origin, with the whole answer.
    pub(crate) async fn raw_call(&self, method: &str, path: &str, body: &str) -> Answer {
        let mut client = Client::connect(&self.control).await;
        let length = body.len();
        client.send(&format!("{method} {path} HTTP/1.1\r\nhost: test\r\ncontent-length: {length}\r\n\r\n{body}")).await;
        client.answer().await
    }

    /// Opens an origin with these options.
    pub(crate) async fn open(&self, options: Value) -> Origin<'_> {
        let opened = self.call("POST", "/control/origins", options).await;
        Origin {
            fixture: self,
            id: opened["id"].as_u64().expect("id"),
            authority: authority(opened["origin"].as_str().expect("origin")),
        }
    }

    /// Opens an origin where `/a` gets these steps.
    pub(crate) async fn play(&self, steps: Value) -> Origin<'_> {
        self.open(json!({ "script": { "routes": [{ "path": "/a", "steps": steps }] } })).await
    }
}

fn authority(origin: &str) -> String {
    origin.split_once("://").expect("an origin").1.to_owned()
}

/// An origin of a server.
pub(crate) struct Origin<'a> {
    fixture: &'a Fixture,
    pub(crate) id: u64,
    pub(crate) authority: String,
}

impl Origin<'_> {
    pub(crate) async fn connect(&self) -> Client {
        Client::connect(&self.authority).await
    }

    /// One GET on a fresh connection.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        let mut client = self.connect().await;
        client.get(path).await;
        client.answer().await
    }

    pub(crate) async fn call(&self, method: &str, what: &str, body: Value) -> Value {
        let path = format!("/control/origins/{}{what}", self.id);
        self.fixture.call(method, &path, body).await
    }

    pub(crate) async fn report(&self) -> Value {
        self.call("GET", "/report", Value::Null).await
    }

    /// Waits for counts, which must come in time.
    pub(crate) async fn wait(&self, counts: &str) -> Value {
        let report = self.call("GET", &format!("/wait?{counts}"), Value::Null).await;
        assert_eq!(report["timedOut"], false, "{counts}: {report}");
        report
    }

    pub(crate) async fn release(&self, gate: &str) {
        self.call("POST", "/release", json!({ "gate": gate })).await;
    }
}

/// A connection, and the bytes read from it so far.
pub(crate) struct Client {
    stream: TcpStream,
    input: Vec<u8>,
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) version: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(candidate, _)| candidate == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

/// How a connection ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Fin,
    Reset,
}

impl Client {
    pub(crate) async fn connect(authority: &str) -> Self {
        Self::try_connect(authority).await.expect("a connection")
    }

    pub(crate) async fn try_connect(authority: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(authority).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, input: Vec::new() })
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).await.expect("sent");
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.expect("sent");
    }

    pub(crate) async fn get(&mut self, path: &str) {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: test\r\n\r\n")).await;
    }

    /// Closes with RST.
    pub(crate) fn reset(self) {
        socket2::SockRef::from(&self.stream).set_linger(Some(Duration::ZERO)).expect("linger");
    }

    /// Reads until the text has arrived, and takes everything up to its end.
    pub(crate) async fn read_until(&mut self, text: &str) -> String {
        let end = loop {
            let found = self.input.windows(text.len()).position(|part| part == text.as_bytes());
            if let Some(at) = found {
                break at + text.len();
            }
            assert!(self.fill().await.expect("more bytes") > 0, "ended before {text:?}");
        };
        String::from_utf8(self.input.drain(..end).collect()).expect("text")
    }

    /// Reads to the end of the connection.
    pub(crate) async fn rest(&mut self) -> (Vec<u8>, Ended) {
        loop {
            match self.fill().await {
                Ok(0) => return (std::mem::take(&mut self.input), Ended::Fin),
                Ok(_) => {}
                Err(error) => {
                    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
                    return (std::mem::take(&mut self.input), Ended::Reset);
                }
            }
        }
    }

    /// Reads a head.
    pub(crate) async fn head(&mut self) -> Answer {
        let head = self.read_until("\r\n\r\n").await;
        let mut lines = head.trim_end().split("\r\n");
        let mut status_line = lines.next().expect("a status line").splitn(3, ' ');
        let version = status_line.next().expect("a version").to_owned();
        let status = status_line.next().expect("a status").parse().expect("a number");
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").expect("a header");
            (name.to_owned(), value.to_owned())
        });
        Answer { status, version, headers: headers.collect(), body: Vec::new() }
    }

    /// Reads an answer that is framed as HTTP wants it.
    pub(crate) async fn answer(&mut self) -> Answer {
        let mut answer = self.head().await;
        if answer.header("transfer-encoding") == Some("chunked") {
            loop {
                let line = self.read_until("\r\n").await;
                let size = usize::from_str_radix(line.trim_end(), 16).expect("a chunk size");
                answer.body.extend(self.take(size).await);
                assert_eq!(self.take(2).await, b"\r\n");
                if size == 0 {
                    return answer;
                }
            }
        }
        let length = answer.header("content-length").map_or(0, |length| length.parse().expect("n"));
        answer.body = self.take(length).await;
        answer
    }

    pub(crate) async fn take(&mut self, length: usize) -> Vec<u8> {
        while self.input.len() < length {
            assert!(self.fill().await.expect("more bytes") > 0, "ended early");
        }
        self.input.drain(..length).collect()
    }

    async fn fill(&mut self) -> io::Result<usize> {
        let read = self.stream.read_buf(&mut self.input);
        tokio::time::timeout(PATIENCE, read).await.expect("bytes in time")
    }
}
