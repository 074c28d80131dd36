use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use steadfetch_core::engine::{Callbacks, Facts, Surface};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::gate::Gate;
use steadfetch_core::method::Method;
use steadfetch_core::time::Instant;

use crate::body::{Body, KEEPALIVE_BYTES};
use crate::client::Client;
use crate::driver::{Call, Driver, Listener, Observers, OnEvent, OnProgress, Outgoing};
use crate::error::Error;
use crate::event::Event;
use crate::multipart::Form;
use crate::options::{IDEMPOTENCY_KEY, Merged, Settings, is_name, shared_options};
use crate::pairs::Pairs;
use crate::pending::{Mistake, Pending};
use crate::platform::{self, Signal};
use crate::progress::Progress;
use crate::redact;
use crate::request_info::RequestInfo;
use crate::shared::Place;

const CONTENT_TYPE: &str = "Content-Type";
const AUTHORIZATION: &str = "Authorization";

/// One call in the making.
///
/// ```no_run
/// # use std::time::Duration;
/// # async fn run(api: steadfetch::Client) -> Result<(), steadfetch::Error> {
/// let text = api
///     .post("search")
///     .form([("q", "tea"), ("lang", "en")])
///     .timeout(Duration::from_secs(2))
///     .idempotent(true)
///     .operation("search")
///     .send()
///     .await?
///     .text()
///     .await?;
/// # let _ = text;
/// # Ok(())
/// # }
/// ```
/// `.await` sends it, and so does [`send`](Self::send), whose future can be detached or joined.
#[must_use = "a request is not sent until it is awaited, or send() is called and its future awaited"]
pub struct RequestBuilder {
    client: Client,
    method: Cow<'static, str>,
    url: String,
    settings: Settings,
    body: Option<Body>,
    /// That of the body, above the client's, unless the caller says another.
    content_type: Option<Cow<'static, str>>,
    idempotent: Option<bool>,
    auth: bool,
    operation: Arc<str>,
    on_event: Option<OnEvent>,
    on_progress: Option<OnProgress>,
    signal: Option<Signal>,
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    init: Option<platform::AddInit>,
    /// Why its body is none. Another body takes its place.
    mistake: Option<&'static str>,
}

impl RequestBuilder {
    #[inline(never)]
    pub(crate) fn new(client: Client, method: Cow<'static, str>, url: String) -> Self {
        // fetch itself makes only some methods upper case: `patch` would be sent as it is.
        let method = match Method::from_name(&method) {
            Method::Other => method,
            known => Cow::Borrowed(known.name()),
        };
        Self {
            client,
            method,
            url,
            settings: Settings::default(),
            body: None,
            content_type: None,
            idempotent: None,
            auth: true,
            operation: Arc::default(),
            on_event: None,
            on_progress: None,
            signal: None,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            init: None,
            mistake: None,
        }
    }

    /// The body, in place of one that was given before. A string is sent as `text/plain` unless you, or the client, set a
    /// `Content-Type`. A `FormData` or `URLSearchParams` has the type that the platform gives it, unless this call sets another.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.put("notes/1").body("tea").await })?;
    /// assert_eq!(script.requests()[0].body(), Some(&b"tea"[..]));
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn body(self, body: impl Into<Body>) -> Self {
        self.with_body(body.into(), None)
    }

    fn with_body(mut self, body: Body, content_type: Option<Cow<'static, str>>) -> Self {
        self.body = Some(body);
        self.content_type = content_type;
        self.mistake = None;
        self
    }

    /// The body, as JSON, with its `Content-Type`, in place of the client's, unless this call sets one. A value that cannot
    /// be written as JSON is reported by [`send`](Self::send), of kind
    /// [`InvalidOption`](crate::ErrorKind::InvalidOption).
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.post("orders").json(&[1, 2]).await })?;
    /// assert_eq!(script.requests()[0].body(), Some(&b"[1,2]"[..]));
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    #[cfg(feature = "json")]
    pub fn json<T: serde::Serialize + ?Sized>(mut self, value: &T) -> Self {
        match crate::json::to_text(value) {
            Some(text) => self.with_body(text.into(), Some("application/json".into())),
            None => {
                self.mistake = Some("json: a value that can be written as JSON");
                self
            }
        }
    }

    /// The body, as `application/x-www-form-urlencoded`, with that `Content-Type`, in place of the client's, unless this call
    /// sets one. It takes what [`query`](Self::query) takes; what has no pairs is reported by [`send`](Self::send), of kind
    /// [`InvalidOption`](crate::ErrorKind::InvalidOption).
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.post("search").form([("q", "green tea")]).await })?;
    /// assert_eq!(script.requests()[0].body(), Some(&b"q=green+tea"[..]));
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn form(mut self, pairs: impl Pairs) -> Self {
        let mut text = String::new();
        match pairs.append_to(&mut text) {
            Ok(()) => self.with_body(text.into(), Some("application/x-www-form-urlencoded;charset=UTF-8".into())),
            Err(_) => {
                self.mistake =
                    Some("form: give pairs, a map or a struct, whose values are texts, numbers, or lists of these");
                self
            }
        }
    }

    /// The body, as `multipart/form-data`, with that `Content-Type`: no other one that is set is sent, since only the form
    /// knows its boundary. A part whose type no header can hold is reported by [`send`](Self::send), of kind
    /// [`InvalidOption`](crate::ErrorKind::InvalidOption).
    ///
    /// ```no_run
    /// use steadfetch::multipart::{Form, Part};
    ///
    /// # async fn run(api: steadfetch::Client) -> Result<(), steadfetch::Error> {
    /// let form = Form::new().text("title", "Notes").part("file", Part::bytes("text").file_name("notes.txt"));
    /// api.put("notes/1").multipart(form).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn multipart(mut self, form: Form) -> Self {
        match form.encode() {
            Some((body, content_type)) => self.with_body(body.into(), Some(Cow::Owned(content_type))),
            None => {
                self.mistake = Some(
                    "multipart: the type of a part has a line break, or another character that no header can have",
                );
                self
            }
        }
    }

    /// Sends this token: `Authorization: Bearer ...` (RFC 6750). For the token of a whole client, and its refresh, see
    /// [`Auth`](crate::Auth).
    ///
    /// ```no_run
    /// # async fn run(api: steadfetch::Client) -> Result<(), steadfetch::Error> {
    /// let response = api.get("users/1").bearer_auth("secret").await?;
    /// # let _ = response;
    /// # Ok(())
    /// # }
    /// ```
    pub fn bearer_auth(self, token: impl fmt::Display) -> Self {
        let token = token.to_string();
        self.header(AUTHORIZATION, ["Bearer ", &token].concat())
    }

    /// Sends a user name and a password, or only the name: `Authorization: Basic ...` (RFC 7617), in UTF-8.
    ///
    /// Error [`InvalidOption`](crate::ErrorKind::InvalidOption) for a name with a colon, and for control characters.
    ///
    /// ```no_run
    /// # async fn run(api: steadfetch::Client) -> Result<(), steadfetch::Error> {
    /// let response = api.get("reports").basic_auth("ada", Some("secret")).await?;
    /// # let _ = response;
    /// # Ok(())
    /// # }
    /// ```
    pub fn basic_auth(mut self, name: impl fmt::Display, password: Option<impl fmt::Display>) -> Self {
        let password = password.map(|password| password.to_string()).unwrap_or_default();
        match crate::basic::authorization(&name.to_string(), &password) {
            Some(value) => self.header(AUTHORIZATION, value),
            None => {
                self.settings
                    .refuse("basic_auth: a name has no colon, and neither name nor password a control character");
                self
            }
        }
    }

    /// Another request like this one; `None` if its body can be sent only once, as a stream.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// let request = api.put("notes/1").body("tea");
    /// if let Some(copy) = request.try_clone() {
    ///     run(async { copy.await })?;
    /// }
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    #[must_use]
    pub fn try_clone(&self) -> Option<Self> {
        let body = self.body.clone();
        body.as_ref().is_none_or(Body::replays).then(|| Self {
            client: self.client.clone(),
            method: self.method.clone(),
            url: self.url.clone(),
            settings: self.settings.clone(),
            body,
            content_type: self.content_type.clone(),
            idempotent: self.idempotent,
            auth: self.auth,
            operation: self.operation.clone(),
            on_event: self.on_event.clone(),
            on_progress: self.on_progress.clone(),
            signal: self.signal.clone(),
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            init: self.init.clone(),
            mistake: self.mistake,
        })
    }

    /// true: this very endpoint may be sent the request twice; false: it may not, whatever its method. Default: by
    /// method, `Idempotency-Key` and `retry.methods`.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// // This POST only reads.
    /// let response = run(async { api.post("search").body("tea").idempotent(true).await })?;
    /// assert_eq!(response.status(), 200);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = Some(idempotent);
        self
    }

    /// false: without the client's [`Auth`](crate::Auth). Its 401 is then the answer.
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let request = Client::new().get("https://api.example.test/public").auth(false);
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn auth(mut self, auth: bool) -> Self {
        self.auth = auth;
        self
    }

    /// The name of the operation: [`Event::operation`] of its events.
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let request = Client::new().get("https://api.example.test/users/1").operation("get-user");
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn operation(mut self, operation: impl Into<Arc<str>>) -> Self {
        self.operation = operation.into();
        self
    }

    /// The page that the request is said to come from: `referrer` of fetch.
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let request = Client::new().get("https://api.example.test/").referrer("https://example.test/start");
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn referrer(mut self, referrer: impl Into<String>) -> Self {
        self.settings.init.set("referrer", referrer.into());
        self
    }

    /// The hash that the body must have: `integrity` of fetch (Subresource Integrity).
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let request = Client::new()
    ///     .get("https://cdn.example.test/data.json")
    ///     .integrity("sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn integrity(mut self, integrity: impl Into<String>) -> Self {
        self.settings.init.set("integrity", integrity.into());
        self
    }

    /// Cancels the call, in whatever state it is, with kind [`Aborted`](crate::ErrorKind::Aborted). An aborted signal
    /// sends nothing at all.
    ///
    /// ```
    /// # fn run(api: steadfetch::Client) -> Result<(), wasm_bindgen::JsValue> {
    /// let controller = web_sys::AbortController::new()?;
    /// let request = api.get("users").signal(&controller.signal());
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub fn signal(mut self, signal: &web_sys::AbortSignal) -> Self {
        self.signal = Some(Signal::new(signal.clone()));
        self
    }

    /// Adds a member to fetch's `RequestInit`: one that browsers or runtimes have and this crate does not know, such as
    /// `targetAddressSpace`, `cf` or `dispatcher`.
    ///
    /// Error [`InvalidOption`](crate::ErrorKind::InvalidOption) for a member that this crate sets itself: the method of this
    /// name, such as [`credentials`](Self::credentials), is for that.
    ///
    /// ```
    /// # fn run(api: steadfetch::Client) {
    /// let request = api.get("http://printer.local/status").init("targetAddressSpace", "local");
    /// # drop(request);
    /// # }
    /// ```
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub fn init(mut self, name: &'static str, value: impl Into<wasm_bindgen::JsValue>) -> Self {
        const OWN: [&str; 14] = [
            "method",
            "headers",
            "body",
            "signal",
            "duplex",
            "keepalive",
            "credentials",
            "mode",
            "cache",
            "redirect",
            "referrer",
            "referrerPolicy",
            "integrity",
            "priority",
        ];
        if OWN.contains(&name) {
            self.settings.refuse("init: a member that this crate does not set itself, else the method of its name");
        }
        self.init = Some(platform::add_init(self.init.take(), name, value.into()));
        self
    }

    /// Told what happens to this call, in place of the client's observer. It can never fail the call.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// use std::cell::Cell;
    /// use std::rc::Rc;
    ///
    /// let events = Rc::new(Cell::new(0));
    /// let seen = events.clone();
    /// run(async { api.get("a").on_event(move |_| seen.set(seen.get() + 1)).await?.text().await })?;
    /// assert_eq!(events.get(), 4, "start, attempt, its end, end");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn on_event(mut self, observer: impl Fn(&Event) + 'static) -> Self {
        self.on_event = Some(Listener::of_call(observer));
        self
    }

    /// Told of each chunk of the body that is being read, in place of the client's observer. First called with 0
    /// bytes, at the headers.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// let text = run(async {
    ///     let call = api.get("a").on_download_progress(|progress| println!("{} bytes", progress.transferred_bytes));
    ///     call.await?.text().await
    /// })?;
    /// assert_eq!(text, "hello");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn on_download_progress(mut self, observer: impl Fn(Progress) + 'static) -> Self {
        self.on_progress = Some(Rc::new(observer));
        self
    }

    shared_options!();

    /// The call. It is sent when its future is first polled; dropping that aborts it.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// let response = run(api.get("greeting").send())?;
    /// assert_eq!((response.status(), response.attempts()), (200, 1));
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// The future gives every kind of [`Error`] but those of reading a body.
    pub fn send(mut self) -> Pending {
        let signal = self.signal.take();
        let client = self.client.clone();
        let (operation, on_event) = (self.operation.clone(), self.observer());
        self.body = self.body.map(Body::snapshot);
        let listening = |(driver, call): (Rc<Driver>, Rc<Call>)| match signal {
            // Before the call starts: a signal that has fired by then sends nothing.
            Some(signal) => match platform::subscribe(signal, &driver, &call) {
                Ok(()) => Ok((driver, call)),
                Err(_) => Err(call.name(Error::early(ErrorCode::InvalidRequest, "the signal is no AbortSignal"))),
            },
            None => Ok((driver, call)),
        };
        match self.prepare().and_then(listening) {
            Ok((driver, call)) => Pending::new(driver, call),
            Err(error) => Pending::mistaken(Mistake { error, client, operation, on_event }),
        }
    }

    /// Who is told what happens: that of the call, else that of the client.
    #[inline(never)]
    fn observer(&self) -> Option<OnEvent> {
        self.on_event.clone().or_else(|| Some(self.client.0.on_event.as_ref()?.observer()))
    }

    #[inline(never)]
    fn prepare(self) -> Result<(Rc<Driver>, Rc<Call>), Error> {
        let method = self.method.clone();
        let mistaken = |code, detail: Cow<'static, str>| {
            // What is no method may hold anything.
            let method = if is_name(&method) { method } else { Cow::Borrowed("") };
            Error::early(code, detail).with(|inner| inner.method = method)
        };
        if let Some(name) = self.settings.invalid().or(self.mistake) {
            return Err(mistaken(ErrorCode::InvalidOption, name.into()));
        }
        let config = self.client.0.clone();
        let on_event = self.observer();
        let mut merged = config.settings.merge(&self.settings);
        if let Some(detail) = self.body_mistake(&merged) {
            return Err(mistaken(ErrorCode::InvalidRequest, detail.into()));
        }
        let Some(driver) = config.backend.driver() else {
            return Err(mistaken(ErrorCode::Unsupported, "no fetch here: give the client a transport".into()));
        };
        let resolved = match platform::resolve(config.base_url.as_deref(), &self.url) {
            Ok(resolved) => resolved,
            Err(detail) => return Err(mistaken(ErrorCode::InvalidRequest, detail.into())),
        };
        let replayable = self.body.as_ref().is_none_or(Body::replays);
        if self.body.as_ref().is_some_and(|body| !body.can_be_sent()) {
            return Err(mistaken(ErrorCode::Unsupported, "this platform cannot stream a request body".into()));
        }
        let has_type = self.content_type.is_some() || self.body.as_ref().is_some_and(Body::has_type);
        // Nobody but the form knows its boundary.
        let is_multipart = matches!(self.content_type, Some(Cow::Owned(_)));
        if has_type && (is_multipart || !self.settings.headers.names(CONTENT_TYPE)) {
            merged.headers.set(CONTENT_TYPE.to_owned(), self.content_type.map(Cow::into_owned));
        }
        if self.body.is_some() {
            merged.headers.leave_out_form_without_boundary();
        }
        let mut gate = Gate {
            method: if platform::is_local(&resolved.href) { Method::Other } else { Method::from_name(&self.method) },
            listed: merged.lists(&self.method),
            keyed: merged.headers.has(IDEMPOTENCY_KEY),
            idempotent: self.idempotent,
        };
        let deadline_header = merged
            .deadline_header
            .as_ref()
            .and_then(|header| header(platform::origin_of(&resolved.target), config.base_url.as_deref()));
        if let Some(name) = &deadline_header {
            merged.headers.set(name.clone(), None);
        }
        let mut request = Outgoing {
            method: self.method,
            url: crate::form::extend_query(&resolved.href, &merged.query),
            target: resolved.target,
            headers: merged.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            deadline_header,
            body: self.body,
            init: merged.init,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            add_init: self.init,
            #[cfg(all(feature = "testing", target_family = "wasm", target_os = "unknown"))]
            script: config.backend.script.clone(),
        };
        if let Some(add) = &merged.idempotency_key {
            match add(&mut request, &self.operation, gate.keyed) {
                Ok(keyed) => gate.keyed = keyed,
                Err((code, detail)) => return Err(mistaken(code, detail)),
            }
        }
        if let Some(detail) = platform::mistake_in(&request) {
            return Err(mistaken(ErrorCode::InvalidRequest, detail));
        }
        let Place { mut keys, circuit, admit } = config.shared.place(
            &mut merged.options,
            &RequestInfo::new(&request, &self.operation),
            platform::origin_of(&request.target),
        );
        driver.admit(admit);
        if driver.inside.get() != 0 {
            // The slots may be held by calls that wait for this one.
            (keys.lane, keys.turn) = (0, 0);
        }
        let auth = config.auth.as_ref().filter(|_| self.auth);
        let authorization = auth.and_then(|auth| auth.authorize(&driver, &request));
        // All that needs the origin has seen it.
        request.target = redact::shown(request.target, config.redact_url.as_ref());
        let facts = Facts {
            started: Instant::default(),
            gate,
            options: merged.options,
            keys,
            auth: authorization.as_ref().map_or(0, |authorization| authorization.number()),
            priority: merged.priority,
            scope_deadline: config.view.deadline(),
            streams_upload: !replayable,
            replayable,
            keepalive: request.init.keepalive(),
            surface: Surface::Shortcut,
            timeout_given: merged.timeout_given,
            total_given: merged.total_given,
            callbacks: Callbacks::default(),
        };
        let observers = Observers {
            dependency: config.name.clone(),
            operation: self.operation,
            circuit,
            on_event,
            on_progress: self.on_progress.or_else(|| {
                let observer = config.on_progress.clone()?;
                Some(Rc::new(move |progress| observer(progress)))
            }),
            should_retry: merged.should_retry,
            delay: merged.delay,
            jitter: merged.jitter,
        };
        let family = Arc::downgrade(&config.shared.family);
        let place = (config.view.clone(), family);
        let rules = (merged.throw, merged.statuses);
        let call = Call::new(driver.next_number(), request, observers, rules, facts, authorization, place);
        Ok((driver, call))
    }

    #[inline(never)]
    fn body_mistake(&self, merged: &Merged) -> Option<&'static str> {
        let body = self.body.as_ref()?;
        if self.method == "GET" || self.method == "HEAD" {
            return Some("a GET or HEAD has no body: use post or query");
        }
        if merged.init.keepalive() && body.len().is_some_and(|len| len > KEEPALIVE_BYTES) {
            return Some("the body of a keepalive request has at most 64 KiB");
        }
        if body.is_locked() {
            return Some("the stream is locked: somebody reads it");
        }
        None
    }
}

impl IntoFuture for RequestBuilder {
    type Output = <Pending as Future>::Output;
    type IntoFuture = Pending;

    /// As [`send`](Self::send).
    fn into_future(self) -> Pending {
        self.send()
    }
}

impl fmt::Debug for RequestBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestBuilder").field("method", &self.method).finish_non_exhaustive()
    }
}
