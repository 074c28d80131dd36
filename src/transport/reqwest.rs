//! The transport of a server: [`reqwest`] sends, tokio sleeps and runs the tasks.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Method};

use super::{Chunks, Fault, LocalFuture, Request, Response, Transport};
use crate::platform::random_bits;

/// Sends requests by [`reqwest`], for server-side rendering and for tools.
///
/// The tasks of a call stay in one thread, so it runs inside of [`run_local`](crate::run_local), or of a
/// `tokio::task::LocalSet`; anywhere else its calls panic, as `tokio::task::spawn_local` does.
///
/// ```
/// use steadfetch::transport::Reqwest;
/// use steadfetch::{Client, Error, run_local};
///
/// async fn greeting(base: String) -> Result<String, Error> {
///     // One client for each request that is rendered: sessions of others are not shared.
///     let api = Client::builder().base_url(base).transport(Reqwest::new()).build()?;
///     api.get("greeting").send().await?.text().await
/// }
///
/// # use std::io::{Read, Write};
/// # let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
/// # let base = format!("http://{}/", server.local_addr().unwrap());
/// # std::thread::spawn(move || {
/// #     let (mut stream, _) = server.accept().unwrap();
/// #     let _ = stream.read(&mut [0; 4096]);
/// #     stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello").unwrap();
/// # });
/// let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
/// // `run_local` gives a future that is `Send`, whatever thread polls it: what Leptos and Dioxus ask for.
/// let text = runtime.block_on(runtime.spawn(run_local(move || greeting(base)))).unwrap();
/// assert_eq!(text.unwrap(), "hello");
/// ```
///
/// Redirects are followed as reqwest does; [`Redirect::Error`](crate::Redirect::Error) refuses them, and
/// [`Redirect::Manual`](crate::Redirect::Manual) gives them back as they are. There is no cookie jar, no cache and no CORS, so
/// [`credentials`](crate::RequestBuilder::credentials), [`mode`](crate::RequestBuilder::mode), the cache modes, the referrer and
/// [`priority`](crate::RequestBuilder::priority) of the platform change nothing; what would have to be looked up or checked there
/// (`Cache::OnlyIfCached`, [`integrity`](crate::RequestBuilder::integrity)) is
/// [`Unsupported`](crate::ErrorKind::Unsupported).
#[derive(Clone, Debug)]
pub struct Reqwest {
    follows: Client,
    /// Gives redirects back.
    stays: Client,
}

impl Reqwest {
    /// With the settings of [`reqwest::Client::new`].
    ///
    /// # Panics
    /// If there is no TLS: see [`with`](Self::with).
    #[must_use]
    pub fn new() -> Self {
        let stays = ClientBuilder::new().redirect(Policy::none()).build().unwrap_or_default();
        Self { follows: Client::new(), stays }
    }

    /// With settings of yours, such as proxies and certificates. The redirect policy is for requests that follow them.
    ///
    /// ```
    /// use steadfetch::transport::Reqwest;
    ///
    /// let transport = Reqwest::with(|client| client.user_agent("shop/1.0"))?;
    /// # let _ = transport;
    /// # Ok::<(), reqwest::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`reqwest::ClientBuilder::build`].
    pub fn with(configure: impl Fn(ClientBuilder) -> ClientBuilder) -> Result<Self, reqwest::Error> {
        let make = || configure(ClientBuilder::new());
        Ok(Self { follows: make().build()?, stays: make().redirect(Policy::none()).build()? })
    }

    fn send(
        &self,
        request: &Request,
        body: Option<reqwest::Body>,
    ) -> Result<impl Future<Output = Result<Response, Fault>> + use<>, Fault> {
        let says = |name: &str, value: &str| request.init().any(|member| member == (name, value));
        if says("cache", "only-if-cached") {
            return Err(Fault::Refused("there is no cache outside of a browser"));
        }
        if request.init().any(|(name, _)| name == "integrity") {
            return Err(Fault::Refused("integrity is not checked outside of a browser"));
        }
        let refuses = says("redirect", "error");
        let client = if refuses || says("redirect", "manual") { &self.stays } else { &self.follows };
        let method = Method::from_bytes(request.method().as_bytes()).map_err(|_| Fault::InvalidRequest)?;
        let mut outgoing = client.request(method, request.url());
        for (name, value) in request.headers() {
            // As browsers send it: a character is a byte (Fetch standard, "isomorphic encode").
            let bytes: Option<Vec<u8>> = value.chars().map(|one| u8::try_from(one).ok()).collect();
            outgoing = outgoing.header(name, bytes.ok_or(Fault::InvalidRequest)?);
        }
        if let Some(body) = body.or_else(|| Some(request.body()?.to_vec().into())) {
            outgoing = outgoing.body(body);
        }
        let outgoing = outgoing.build().map_err(|error| fault(&error, None))?;
        let (client, url) = (client.clone(), outgoing.url().clone());
        Ok(async move {
            let incoming = client.execute(outgoing).await.map_err(|error| fault(&error, Some(&url)))?;
            if refuses && incoming.status().is_redirection() && incoming.headers().contains_key("location") {
                return Err(Fault::Network);
            }
            let mut response = Response::new(incoming.status().as_u16());
            if *incoming.url() != url {
                response = response.with_url(incoming.url().as_str());
            }
            for (name, value) in incoming.headers() {
                let text: String = value.as_bytes().iter().copied().map(char::from).collect();
                response = response.with_header(name.as_str(), text);
            }
            Ok(response.with_chunks(Body { reading: None, rest: Some(incoming) }))
        })
    }
}

impl Default for Reqwest {
    fn default() -> Self {
        Self::new()
    }
}

/// What an error of reqwest says about the request to this URL.
fn fault(error: &reqwest::Error, url: Option<&url::Url>) -> Fault {
    if error.is_builder() {
        Fault::InvalidRequest
    } else if error.is_connect() && error.url() == url {
        // Else a redirect has led to where there is nothing.
        Fault::Unconnected
    } else {
        Fault::Network
    }
}

impl Transport for Reqwest {
    fn fetch(&self, request: Request) -> LocalFuture<Result<Response, Fault>> {
        match self.send(&request, None) {
            Ok(sending) => Box::pin(sending),
            Err(fault) => Box::pin(async move { Err(fault) }),
        }
    }

    #[cfg(feature = "stream")]
    fn fetch_streaming(&self, request: Request, body: Box<dyn Chunks>) -> LocalFuture<Result<Response, Fault>> {
        let (chunks, sent) = tokio::sync::mpsc::channel(1);
        match self.send(&request, Some(reqwest::Body::wrap_stream(Upload(sent)))) {
            Ok(sending) => {
                tokio::task::spawn_local(pump(body, chunks));
                Box::pin(sending)
            }
            Err(fault) => Box::pin(async move { Err(fault) }),
        }
    }

    fn now(&self) -> Duration {
        // From any origin: that of the first call in this process.
        static ORIGIN: std::sync::OnceLock<tokio::time::Instant> = std::sync::OnceLock::new();
        ORIGIN.get_or_init(tokio::time::Instant::now).elapsed()
    }

    #[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "it is for native targets only")]
    fn wall(&self) -> Duration {
        std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default()
    }

    fn sleep(&self, span: Duration) -> LocalFuture<()> {
        Box::pin(tokio::time::sleep(span))
    }

    fn spawn(&self, task: LocalFuture<()>) {
        tokio::task::spawn_local(task);
    }

    fn seed(&self) -> [u32; 4] {
        random_bits()
    }
}

/// The chunks of a request body, which stays in its thread: reqwest may send them from another one.
#[cfg(feature = "stream")]
struct Upload(tokio::sync::mpsc::Receiver<Result<Vec<u8>, BrokenUpload>>);

#[cfg(feature = "stream")]
impl futures_core::Stream for Upload {
    type Item = Result<Vec<u8>, BrokenUpload>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}

#[cfg(feature = "stream")]
#[derive(Debug)]
struct BrokenUpload;

#[cfg(feature = "stream")]
impl std::fmt::Display for BrokenUpload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the stream of the request body broke")
    }
}

#[cfg(feature = "stream")]
impl std::error::Error for BrokenUpload {}

/// Hands the chunks over, until the request takes no more of them.
#[cfg(feature = "stream")]
async fn pump(mut body: Box<dyn Chunks>, chunks: tokio::sync::mpsc::Sender<Result<Vec<u8>, BrokenUpload>>) {
    let mut closed = std::pin::pin!(chunks.closed());
    loop {
        let next = std::future::poll_fn(|cx| match closed.as_mut().poll(cx) {
            // As if it were at its end.
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => body.poll_chunk(cx),
        });
        let Some(chunk) = next.await else { return };
        let is_last = chunk.is_err();
        if chunks.send(chunk.map_err(|_| BrokenUpload)).await.is_err() || is_last {
            return;
        }
    }
}

type Reading = Pin<Box<dyn Future<Output = (reqwest::Response, Result<Option<Vec<u8>>, reqwest::Error>)>>>;

/// The rest of a body, or the read that has it.
struct Body {
    reading: Option<Reading>,
    rest: Option<reqwest::Response>,
}

impl Chunks for Body {
    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Fault>>> {
        if let Some(mut response) = self.rest.take() {
            self.reading = Some(Box::pin(async move {
                let chunk = response.chunk().await.map(|chunk| chunk.map(Vec::from));
                (response, chunk)
            }));
        }
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let (response, chunk) = ready!(reading.as_mut().poll(cx));
        self.reading = None;
        if let Ok(Some(_)) = chunk {
            self.rest = Some(response);
        }
        Poll::Ready(chunk.map_err(|_| Fault::Network).transpose())
    }
}
