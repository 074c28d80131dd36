//! Calls of a server: by reqwest, under a runtime with several threads, against a server of a few lines.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::transport::Reqwest;
use crate::{Client, ClientBuilder, Error, ErrorKind, Outcome, Phase, Redirect, Retry, run_local};

/// What is done with one connection after its request was read.
#[derive(Clone, Copy)]
enum Step {
    Answer(&'static str),
    /// The body of the request, to the end of its chunks.
    Echo,
    /// The connection breaks.
    Close,
    /// Nothing comes, until the client goes.
    Hang,
}

struct Server {
    runtime: Runtime,
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    /// A connection that hung was closed by its client.
    gone: Mutex<UnboundedReceiver<()>>,
}

fn server(steps: &'static [Step]) -> Server {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (going, gone) = unbounded_channel();
    let log = seen.clone();
    runtime.spawn(async move {
        for step in steps {
            let (mut stream, _) = listener.accept().await.unwrap();
            let (log, going) = (log.clone(), going.clone());
            tokio::spawn(async move {
                let mut request = Vec::new();
                while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                    if stream.read_buf(&mut request).await.unwrap() == 0 {
                        return;
                    }
                }
                log.lock().unwrap().push(request.iter().copied().map(char::from).collect::<String>());
                match step {
                    Step::Answer(text) => {
                        let bytes: Vec<u8> = text.chars().map(|one| u8::try_from(one).unwrap()).collect();
                        stream.write_all(&bytes).await.unwrap();
                    }
                    Step::Echo => {
                        while !request.ends_with(b"0\r\n\r\n") {
                            assert_ne!(stream.read_buf(&mut request).await.unwrap(), 0);
                        }
                        let head = request.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4;
                        stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").await.unwrap();
                        stream.write_all(&request[head..]).await.unwrap();
                    }
                    Step::Close => {}
                    Step::Hang => {
                        let _ = stream.read(&mut [0; 16]).await;
                        going.send(()).unwrap();
                    }
                }
            });
        }
    });
    Server { runtime, address, seen, gone: Mutex::new(gone) }
}

impl Server {
    fn client(&self) -> ClientBuilder {
        let retry = Retry::new().delay(Duration::ZERO);
        Client::builder().base_url(format!("http://{}/v1/", self.address)).transport(Reqwest::new()).retry(retry)
    }

    /// In a task of the runtime, which any of its threads may poll.
    fn run<T: Send + 'static, F: Future<Output = T> + 'static>(&self, make: impl FnOnce() -> F + Send + 'static) -> T {
        self.runtime.block_on(self.runtime.spawn(run_local(make))).unwrap()
    }
}

const HELLO: &str = "HTTP/1.1 200 OK\r\nConnection: close\r\nX-Name: caf\u{e9}\r\nContent-Length: 5\r\n\r\nhello";

async fn text(api: Client, path: &str) -> Result<String, Error> {
    api.get(path).send().await?.text().await
}

#[test]
fn a_call_of_a_server_is_sent_and_retried_under_several_threads() {
    let server = server(&[Step::Close, Step::Answer(HELLO)]);
    let api = server.client().header("X-App", "caf\u{e9}").build().unwrap();
    let (read, name, attempts) = server.run(move || async move {
        let response = api.get("a?b=c").send().await.unwrap();
        let (name, attempts) = (response.header("x-name"), response.attempts());
        (response.text().await.unwrap(), name, attempts)
    });
    assert_eq!((read.as_str(), name.as_deref(), attempts), ("hello", Some("caf\u{e9}"), 2));
    let seen = server.seen.lock().unwrap();
    assert!(seen[1].starts_with("GET /v1/a?b=c HTTP/1.1\r\n") && seen[1].contains("x-app: caf\u{e9}\r\n"), "{seen:?}");
}

#[test]
fn a_hundred_calls_at_once() {
    let server = server(&[Step::Answer(HELLO); 100]);
    let api = server.client().build().unwrap();
    let tasks: Vec<_> = (0..100)
        .map(|_| {
            let api = api.clone();
            server.runtime.spawn(run_local(move || async move { text(api, "a").await }))
        })
        .collect();
    for task in tasks {
        assert_eq!(server.runtime.block_on(task).unwrap().as_deref(), Ok("hello"));
    }
}

#[test]
fn limits_hold_and_what_is_dropped_closes_its_connection() {
    let server = server(&[Step::Hang, Step::Hang]);
    let api = server.client().timeout(Duration::from_millis(50)).build().unwrap();
    let slow = api.clone();
    let error = server.run(move || async move { text(slow, "a").await }).unwrap_err();
    assert_eq!((error.kind(), error.phase()), (ErrorKind::Timeout, Some(Phase::Headers)));
    assert_eq!(error.outcome(), Outcome::Unknown);
    let mut gone = server.gone.lock().unwrap();
    server.runtime.block_on(gone.recv()).unwrap();

    let patient = api.extend().timeout(None).build().unwrap();
    let task = server.runtime.spawn(run_local(move || async move { text(patient, "a").await }));
    while server.seen.lock().unwrap().len() < 2 {
        std::thread::yield_now();
    }
    task.abort();
    server.runtime.block_on(gone.recv()).unwrap();
}

#[test]
fn a_body_that_breaks_is_a_network_error() {
    let server = server(&[Step::Answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")]);
    let api = server.client().build().unwrap();
    let error = server.run(move || async move { text(api, "a").await }).unwrap_err();
    assert_eq!((error.kind(), error.phase(), error.status()), (ErrorKind::Network, Some(Phase::Body), Some(200)));
}

#[test]
fn a_connection_that_is_refused_was_not_sent() {
    let server = server(&[]);
    let free = server.runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap().local_addr().unwrap();
    let api = server.client().retry(1).build().unwrap();
    let error = server.run(move || async move { text(api, &format!("http://{free}/")).await }).unwrap_err();
    assert_eq!((error.kind(), error.outcome(), error.attempts().len()), (ErrorKind::Network, Outcome::NotSent, 2));
}

#[test]
fn redirects_are_followed_refused_or_given_back() {
    const MOVED: Step =
        Step::Answer("HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n");
    let server = server(&[MOVED, Step::Answer(HELLO), MOVED, MOVED]);
    let api = server.client().retry(0).build().unwrap();
    let (followed, back, refused) = server.run(move || async move {
        let followed = api.get("a").send().await.unwrap();
        let followed = (followed.url(), followed.redirected());
        let back = api.get("a").redirect(Redirect::Manual).send().await.unwrap().status();
        (followed, back, api.get("a").redirect(Redirect::Error).send().await.unwrap_err())
    });
    assert_eq!(followed, (format!("http://{}/b", server.address), true));
    assert_eq!((back, refused.kind()), (302, ErrorKind::Network));
}

#[test]
fn what_cannot_be_sent_is_told_at_the_call() {
    let server = server(&[]);
    let api = server.client().build().unwrap();
    let kinds = server.run(move || async move {
        [
            api.get("a").integrity("sha256-x").send().await.unwrap_err().kind(),
            api.get("a").cache(crate::Cache::OnlyIfCached).send().await.unwrap_err().kind(),
            api.get("a").header("X-A", "\u{2192}").send().await.unwrap_err().kind(),
            api.get("ftp://a.test/").send().await.unwrap_err().kind(),
        ]
    });
    let [unsupported, invalid] = [ErrorKind::Unsupported, ErrorKind::InvalidRequest];
    assert_eq!(kinds, [unsupported, unsupported, invalid, invalid]);

    let page = server.client().base_url("/api").build().expect("code of a page runs on servers too");
    let error = server.run(move || async move { text(page, "a").await }).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidRequest, Outcome::NotSent));
    assert!(error.to_string().contains("base_url is relative, and there is no page: give an absolute one"), "{error}");
}

#[test]
fn a_panic_is_handed_on_and_ends_nothing_else() {
    let server = server(&[Step::Answer(HELLO)]);
    let task = server.runtime.spawn(run_local(|| async { panic!("a panic of the test") }));
    assert!(server.runtime.block_on(task).map(|(): ()| ()).unwrap_err().is_panic());
    let api = server.client().build().unwrap();
    assert_eq!(server.run(move || async move { text(api, "a").await }).as_deref(), Ok("hello"));
}

#[test]
#[cfg(feature = "stream")]
fn a_stream_of_rust_is_the_body_of_a_request() {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    /// It stays in its thread.
    struct Numbers {
        last: u8,
        _here: std::rc::Rc<()>,
    }

    impl futures_core::Stream for Numbers {
        type Item = Result<String, ()>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            self.last += 1;
            Poll::Ready((self.last < 4).then(|| Ok(self.last.to_string())))
        }
    }

    let server = server(&[Step::Echo]);
    let api = server.client().build().unwrap();
    let sent = server.run(move || async move {
        let body = crate::Body::from_stream(Numbers { last: 0, _here: std::rc::Rc::new(()) });
        api.post("a").body(body).await.unwrap().text().await.unwrap()
    });
    assert_eq!(sent, "1\r\n1\r\n1\r\n2\r\n1\r\n3\r\n0\r\n\r\n");
}
