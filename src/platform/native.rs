//! The surroundings that a [`Transport`] makes.

mod line;
mod tabs;

pub(crate) use line::{Abort, Incoming};
pub(crate) use tabs::{AbortSource, TabLock, has_locks};

use std::borrow::Cow;
use std::cell::RefCell;
use std::convert::Infallible;
use std::future::Future;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use steadfetch_core::time::{Instant, Millis};
use url::Url;

use super::{BAD_URL, CREDENTIALS, RELATIVE_BASE, Rejection, Resolved};
use crate::driver::{Call, Driver, Extra, Notes, Outgoing};
use crate::options::{duration, is_name, millis};
use crate::transport::{Request, Transport};
use line::Line;

/// The transport of a client, if it has one.
#[derive(Clone, Default)]
pub(crate) struct Backend(Option<Used>);

#[derive(Clone)]
struct Used {
    transport: Arc<dyn Transport>,
    /// Clients of any thread are counted by it: the drivers hold the transport itself too. `None`: nobody's.
    user: Option<Arc<()>>,
}

/// The driver of a transport, while it has users or something to do.
struct Known {
    users: std::sync::Weak<()>,
    driver: Rc<Driver>,
}

impl Known {
    /// No client is left, and no call is.
    fn is_gone(&self) -> bool {
        self.users.strong_count() == 0 && Rc::strong_count(&self.driver) <= 1
    }
}

thread_local! {
    static DRIVERS: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

/// `None` in the destructor of another value of the thread: they are gone then, and their calls with them.
fn known<R>(act: impl FnOnce(&mut Vec<Known>) -> R) -> Option<R> {
    DRIVERS.try_with(|drivers| drivers.try_borrow_mut().ok().map(|mut drivers| act(&mut drivers))).ok().flatten()
}

impl Backend {
    pub(crate) fn new(transport: impl Transport) -> Self {
        Self(Some(Used { transport: Arc::new(transport), user: Some(Arc::new(())) }))
    }

    /// The same for what a driver keeps itself: it keeps no driver.
    pub(crate) fn uncounted(&self) -> Self {
        Self(self.0.as_ref().map(|used| Used { transport: used.transport.clone(), user: None }))
    }

    /// Something can be sent.
    pub(crate) fn can_send(&self) -> bool {
        self.0.is_some()
    }

    /// The time, where something can be sent.
    pub(crate) fn now(&self) -> Option<Instant> {
        Some(now(&*self.0.as_ref()?.transport))
    }

    /// The driver of this transport and thread, if there is one already.
    pub(crate) fn known_driver(&self) -> Option<Rc<Driver>> {
        let used = self.0.as_ref()?;
        known(|drivers| {
            let same = |known: &&Known| Arc::ptr_eq(&known.driver.platform.transport, &used.transport);
            drivers.iter().find(same).map(|known| known.driver.clone())
        })?
    }

    /// The driver of this transport and thread: one engine for every client that has it.
    pub(crate) fn driver(&self) -> Option<Rc<Driver>> {
        if let Some(driver) = self.known_driver() {
            return Some(driver);
        }
        let used = self.0.as_ref()?;
        let driver = Driver::new(Platform { transport: used.transport.clone(), timer: RefCell::new(None) });
        let users = used.user.as_ref().map(Arc::downgrade).unwrap_or_default();
        let gone: Vec<Known> = known(|drivers| {
            let gone = drivers.extract_if(.., |known| known.is_gone()).collect();
            drivers.push(Known { users, driver: driver.clone() });
            gone
        })?;
        drop(gone);
        Some(driver)
    }
}

/// Those of this thread.
pub(crate) fn drivers() -> Vec<Rc<Driver>> {
    known(|drivers| drivers.iter().map(|known| known.driver.clone()).collect()).unwrap_or_default()
}

/// 128 of them.
#[expect(clippy::disallowed_types, reason = "it is for native targets only")]
pub(crate) fn random_bits() -> [u32; 4] {
    use std::hash::{BuildHasher, RandomState};
    // Each has keys of its own, which come from the system's generator.
    [(); 4].map(|()| RandomState::new().hash_one(()) as u32)
}

fn now(transport: &dyn Transport) -> Instant {
    Instant(millis(transport.now()).0)
}

pub(crate) struct Platform {
    transport: Arc<dyn Transport>,
    timer: RefCell<Option<(Instant, Rc<Line>)>>,
}

impl Platform {
    pub(crate) fn attach(&self, _: &Weak<Driver>) {}

    pub(crate) fn seed(&self) -> [u32; 4] {
        self.transport.seed()
    }

    pub(crate) fn now(&self) -> Instant {
        now(&*self.transport)
    }

    pub(crate) fn wall(&self) -> u64 {
        millis(self.transport.wall()).0
    }

    pub(crate) fn online(&self) -> bool {
        self.transport.is_online()
    }

    /// There is nothing to watch: the driver asks before every timer.
    pub(crate) fn watch_online(&self, _: &Weak<Driver>, _: bool) {}

    /// There is no policy that could forbid a request.
    pub(crate) fn is_blocked(&self, _: &Outgoing, _: Instant) -> bool {
        false
    }

    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + 'static) {
        self.transport.spawn(Box::pin(task));
    }

    /// Whether a timer keeps its process alive is the transport's business.
    pub(crate) fn arm(&self, driver: &Weak<Driver>, at: Option<Instant>, _held: bool) {
        let Ok(mut timer) = self.timer.try_borrow_mut() else { return };
        if timer.as_ref().map(|(armed, _)| *armed) == at {
            return;
        }
        let old = timer.take();
        let line = Rc::new(Line::idle());
        if let Some(at) = at {
            *timer = Some((at, line.clone()));
        }
        drop(timer);
        if let Some((_, line)) = old {
            line.cancel();
        }
        let Some(at) = at else { return };
        let wait = at.since(self.now());
        let driver = driver.clone();
        let sleep = self.transport.sleep(duration(wait.max(Millis::ZERO)));
        self.spawn(async move {
            if line.unless_cancelled(sleep).await
                && let Some(driver) = driver.upgrade()
            {
                driver.platform.disarm(&line);
                driver.tick();
            }
        });
    }

    /// The timer has fired.
    fn disarm(&self, line: &Rc<Line>) {
        if let Ok(mut timer) = self.timer.try_borrow_mut()
            && timer.as_ref().is_some_and(|(_, armed)| Rc::ptr_eq(armed, line))
        {
            *timer = None;
        }
    }

    pub(crate) fn fetch(
        &self,
        request: &Outgoing,
        extra: &Extra,
    ) -> Result<(Abort, impl Future<Output = Result<Incoming, Rejection>> + 'static), Rejection> {
        let line = Rc::new(Line::idle());
        #[cfg(feature = "stream")]
        let stream = request.body.as_ref().and_then(crate::body::Body::take_stream);
        #[cfg(not(feature = "stream"))]
        let stream = None;
        let outgoing = Request::new(request, extra);
        let fetching = match stream {
            Some(stream) => self.transport.fetch_streaming(outgoing, stream),
            None => self.transport.fetch(outgoing),
        };
        let url = request.url.clone();
        Ok((Abort(line.clone()), async move { line.exchange(fetching, url).await }))
    }
}

/// The bytes as text, by a label of the Encoding Standard: here no more than Latin-1, which that standard reads as windows-1252.
pub(crate) fn decode(bytes: &[u8], label: &str) -> Option<String> {
    const LABELS: [&str; 6] = ["iso-8859-1", "latin1", "windows-1252", "us-ascii", "ascii", "cp1252"];
    // 0x80 to 0x9f; what is none stays as it is.
    const HIGH: [char; 32] = [
        '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
        '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}',
        '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}',
        '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
    ];
    let is_known = LABELS.iter().any(|known| label.eq_ignore_ascii_case(known));
    let high = |byte: u8| HIGH.get(usize::from(byte.wrapping_sub(0x80))).copied().unwrap_or(char::from(byte));
    is_known.then(|| bytes.iter().map(|byte| high(*byte)).collect())
}

/// Bytes that are no UTF-8 as UTF-8: each sequence that is ill-formed becomes U+FFFD.
pub(crate) fn decode_lossily(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// There is no `AbortSignal` here.
#[derive(Clone)]
pub(crate) enum Signal {}

pub(crate) enum Subscription {}

pub(crate) fn subscribe(signal: Signal, _: &Rc<Driver>, _: &Rc<Call>) -> Result<(), Infallible> {
    match signal {}
}

/// Nothing hides what went wrong here.
pub(crate) fn hint_of(_: &Outgoing, _: &Extra) -> Notes {
    Notes::default()
}

/// What no HTTP request can hold: a transport might write it as it is, and more headers with it.
pub(crate) fn mistake_in(request: &Outgoing) -> Option<Cow<'static, str>> {
    if !is_name(&request.method) {
        return Some("the method is no token".into());
    }
    super::wrong_header(request)
}

pub(crate) fn resolve(base: Option<&str>, url: &str) -> Result<Resolved, &'static str> {
    let absolute = base.and_then(|base| Url::parse(base).ok());
    let missing = if base.is_some() && absolute.is_none() { RELATIVE_BASE } else { BAD_URL };
    let url = Url::options().base_url(absolute.as_ref()).parse(url).map_err(|_| missing)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(CREDENTIALS);
    }
    let target = match url.origin() {
        url::Origin::Tuple(..) => [url.origin().ascii_serialization().as_str(), url.path()].concat(),
        url::Origin::Opaque(_) => [url.scheme(), ":"].concat(),
    };
    Ok(Resolved { href: url.into(), target })
}

/// Whether it goes over no network: what comes of it is the same the next time. A transport may know schemes of networks.
pub(crate) fn is_local(url: &str) -> bool {
    url.starts_with("data:") || url.starts_with("blob:")
}

/// That of the base URL: there is no page.
pub(crate) fn own_origin(base: Option<&str>) -> Option<String> {
    Some(Url::parse(base?).ok()?.origin().ascii_serialization())
}

pub(crate) fn resolve_base(url: &str) -> Option<String> {
    if super::is_relative(url) {
        return Some(url.to_owned());
    }
    let mut url = Url::parse(url).ok()?;
    if url.cannot_be_a_base() || !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    if !url.path().ends_with('/') {
        let path = [url.path(), "/"].concat();
        url.set_path(&path);
    }
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_gets_its_missing_slash() {
        assert_eq!(resolve_base("https://a.test/v1").as_deref(), Some("https://a.test/v1/"));
        assert_eq!(resolve_base("https://a.test").as_deref(), Some("https://a.test/"));
        assert_eq!(resolve_base("/v1").as_deref(), Some("/v1"), "its calls say that there is no page");
        assert_eq!(resolve(Some("/v1"), "users").map(|resolved| resolved.href), Err(RELATIVE_BASE));
        assert!(resolve(Some("/v1"), "https://a.test/users").is_ok());
        let at = |url| resolve(Some("https://a.test/v1/"), url).map(|resolved| resolved.href);
        assert_eq!(at("users").as_deref(), Ok("https://a.test/v1/users"));
        assert_eq!(at("/users").as_deref(), Ok("https://a.test/users"));
        assert_eq!(at("https://b.test/c?d#e").as_deref(), Ok("https://b.test/c?d#e"));
    }

    #[test]
    fn a_password_is_refused_and_never_told() {
        let refused = resolve(None, "https://joe:S3CRET@a.test/").map(|resolved| resolved.href);
        assert_eq!(refused, Err(CREDENTIALS));
    }

    #[test]
    fn what_is_told_of_a_url_is_origin_and_path() {
        let target = |url| resolve(None, url).map(|resolved| resolved.target);
        assert_eq!(target("https://a.test:8443/b?c=d#e").as_deref(), Ok("https://a.test:8443/b"));
        assert_eq!(target("data:text/plain,S3CRET").as_deref(), Ok("data:"));
    }
}
