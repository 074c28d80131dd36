use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use steadfetch_core::refresh::RefreshOptions;
use steadfetch_core::time::Millis;

use super::{limit, millis};
use crate::auth::{AuthContext, AuthError, LocalFuture, Peek, Refreshed};
use crate::platform::{self, origin_of};

type GetToken = Arc<dyn Fn(AuthContext) -> LocalFuture<Result<Option<String>, AuthError>> + Send + Sync>;
type RefreshToken = Arc<dyn Fn(AuthContext) -> LocalFuture<Result<Refreshed, AuthError>> + Send + Sync>;
type ShouldRefresh = Arc<dyn Fn(&Peek<'_>) -> bool + Send + Sync>;
type ExpiresAt = Arc<dyn Fn(&str) -> Option<Duration> + Send + Sync>;

/// Who refreshes once: [`Auth::lock`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum AuthLock {
    /// The clients of this thread.
    #[default]
    Tab,
    /// All tabs of this origin, by the Web Locks of the platform; where there are none, [`Tab`](Self::Tab).
    Origin,
}

/// Sends a token, and after a 401 refreshes it once for everybody: [`ClientBuilder::auth`](crate::ClientBuilder::auth).
///
/// A call that is answered 401 waits for the refresh, then is sent once more, a POST too: the server has refused it before
/// it did anything. Calls that start meanwhile wait as well. If the refresh fails, so do they: error
/// [`AuthRefreshFailed`](crate::ErrorKind::AuthRefreshFailed), and [`session_lost`](crate::Error::session_lost) says
/// whether the user has to log in again.
///
/// A clone is the same `Auth`, and there is one refresh for all clients of a thread that have it; an option that is set
/// makes another one. An `Authorization` header that a client or call has set is never replaced, nor refreshed.
///
/// ```no_run
/// use std::sync::{Arc, Mutex};
/// use steadfetch::{Auth, Client, Refreshed};
///
/// # fn example() -> Result<(), steadfetch::Error> {
/// let store = Arc::new(Mutex::new(None::<String>));
/// let tokens = store.clone();
/// let auth = Auth::new(
///     move |_| {
///         let token = tokens.lock().ok().and_then(|token| token.clone());
///         async { Ok(token) }
///     },
///     move |context| {
///         let store = store.clone();
///         async move {
///             // By a client without this `Auth`, or it would wait for itself.
///             let token = context.client().post("token").send().await?.text().await?;
///             if let Ok(mut place) = store.lock() {
///                 *place = Some(token.clone());
///             }
///             Ok(Refreshed::Token(token))
///         }
///     },
/// );
/// let api = Client::builder().base_url("https://api.example.test/").auth(auth).build()?;
/// # drop(api);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "it does nothing until a client has it"]
pub struct Auth(pub(crate) Arc<Session>);

/// What an [`Auth`] is made of. Plain data: any thread may hold it.
#[derive(Clone)]
pub(crate) struct Session {
    /// By which engines know it. One that differs is another one.
    pub(crate) number: u32,
    pub(crate) get_token: Option<GetToken>,
    pub(crate) refresh_token: RefreshToken,
    pub(crate) should_refresh: Option<ShouldRefresh>,
    pub(crate) expires_at: Option<ExpiresAt>,
    pub(crate) header: String,
    pub(crate) scheme: String,
    /// As the platform writes them.
    origins: Option<Vec<String>>,
    refresh_timeout: Millis,
    refresh_before: Millis,
    lock: AuthLock,
    lock_name: Option<String>,
    pub(crate) allow_redirects: bool,
    /// The first option with a wrong value.
    invalid: Option<&'static str>,
}

fn next_number() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    // 0 is no number.
    LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1).max(1)
}

/// Whether a header can hold it (Fetch standard, "header value").
pub(crate) fn is_value(text: &str) -> bool {
    text.chars().all(|char| char == '\t' || (' '..='\u{ff}').contains(&char) && char != '\u{7f}')
}

/// Whether it is a token of RFC 9110, section 5.6.2, as every name of a header is.
pub(crate) fn is_name(text: &str) -> bool {
    let of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(of_token)
}

impl Auth {
    /// `get_token` gives the token, or `None` (sent without one; a 401 then refreshes). It is asked before every send,
    /// because only it knows that somebody has logged out, or in as somebody else; calls that come meanwhile share its
    /// answer. `refresh_token` renews the session: see [`Refreshed`].
    ///
    /// Both fail with an [`AuthError`], which `?` makes of any error. If `get_token` fails, the call does, of kind
    /// [`Callback`](crate::ErrorKind::Callback), phase [`Auth`](crate::Phase::Auth).
    pub fn new<G, T, R, F>(get_token: G, refresh_token: R) -> Self
    where
        G: Fn(AuthContext) -> T + Send + Sync + 'static,
        T: Future<Output = Result<Option<String>, AuthError>> + 'static,
        R: Fn(AuthContext) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Refreshed, AuthError>> + 'static,
    {
        Self::cookies(refresh_token).change(|session| {
            session.get_token = Some(Arc::new(move |context| Box::pin(get_token(context))));
        })
    }

    /// The session lives in a cookie, or in what `refresh_token` gives: there is nothing to be asked for.
    pub fn cookies<R, F>(refresh_token: R) -> Self
    where
        R: Fn(AuthContext) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Refreshed, AuthError>> + 'static,
    {
        let defaults = RefreshOptions::default();
        Self(Arc::new(Session {
            number: next_number(),
            get_token: None,
            refresh_token: Arc::new(move |context| Box::pin(refresh_token(context))),
            should_refresh: None,
            expires_at: None,
            header: "Authorization".to_owned(),
            scheme: "Bearer".to_owned(),
            origins: None,
            refresh_timeout: defaults.timeout,
            refresh_before: defaults.before,
            lock: AuthLock::default(),
            lock_name: None,
            allow_redirects: false,
            invalid: None,
        }))
    }

    fn change(self, change: impl FnOnce(&mut Session)) -> Self {
        let mut session = Arc::unwrap_or_clone(self.0);
        change(&mut session);
        session.number = next_number();
        Self(Arc::new(session))
    }

    /// The header that carries the token. Default `Authorization`. With any other one redirects are refused, unless you
    /// [`allow_redirects`](Self::allow_redirects).
    ///
    /// ```
    /// use steadfetch::{Auth, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).header("X-Token");
    /// ```
    pub fn header(self, name: impl Into<String>) -> Self {
        let name = name.into();
        self.change(|session| {
            session.refuse(!is_name(&name), "auth.header");
            session.header = name;
        })
    }

    /// What stands before the token in its header; an empty string: nothing. Default `Bearer`.
    ///
    /// ```
    /// use steadfetch::{Auth, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).scheme("Token");
    /// ```
    pub fn scheme(self, scheme: impl Into<String>) -> Self {
        let scheme = scheme.into();
        self.change(|session| {
            session.refuse(!is_value(&scheme), "auth.scheme");
            session.scheme = scheme;
        })
    }

    /// Where the token may go, and whose 401 counts: URLs, of which the origin is taken. Default that of the client's
    /// [`base_url`](crate::ClientBuilder::base_url), else the page's.
    ///
    /// ```
    /// use steadfetch::{Auth, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).origins(["https://api.example.test"]);
    /// ```
    pub fn origins<U: AsRef<str>>(self, urls: impl IntoIterator<Item = U>) -> Self {
        let origin = |url: U| Some(origin_of(&platform::resolve(None, url.as_ref()).ok()?.target).to_owned());
        let origins: Option<Vec<String>> = urls.into_iter().map(origin).collect();
        self.change(|session| {
            session.refuse(origins.as_ref().is_none_or(Vec::is_empty), "auth.origins");
            session.origins = origins;
        })
    }

    /// How long a callback, or the wait for the lock, may take: 1 ms or more, `None` for no limit. Default 10 s. Then the
    /// calls of its [`AuthContext`] end, and those that waited for it fail; a later call tries anew.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::{Auth, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).refresh_timeout(Duration::from_secs(5));
    /// ```
    pub fn refresh_timeout(self, span: impl Into<Option<Duration>>) -> Self {
        let span = limit("auth.refresh_timeout", span.into());
        self.change(|session| {
            session.refuse(span.is_err(), "auth.refresh_timeout");
            session.refresh_timeout = span.unwrap_or(session.refresh_timeout);
        })
    }

    /// When a token expires, since 1970, if that can be told: then it is refreshed before it is sent. A token that looks
    /// expired when it is new comes from a clock that is wrong, and is sent until its 401.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::{Auth, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).expires_at(|token| Some(Duration::from_secs(token.parse().ok()?)));
    /// ```
    pub fn expires_at(self, expires_at: impl Fn(&str) -> Option<Duration> + Send + Sync + 'static) -> Self {
        self.change(|session| session.expires_at = Some(Arc::new(expires_at)))
    }

    /// With [`expires_at`](Self::expires_at): how long before. Default 30 s. If such a refresh fails, the old token is
    /// sent.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::{Auth, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).refresh_before(Duration::from_secs(60));
    /// ```
    pub fn refresh_before(self, span: Duration) -> Self {
        self.change(|session| session.refresh_before = millis(span))
    }

    /// In place of the status 401: asked about every response of 400 or above from [`origins`](Self::origins), whether
    /// it calls for a refresh. Many APIs say so in the body only.
    ///
    /// ```
    /// use steadfetch::{Auth, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).should_refresh(|peek| peek.status() == 403 && peek.body() == b"expired");
    /// ```
    pub fn should_refresh(self, ask: impl Fn(&Peek<'_>) -> bool + Send + Sync + 'static) -> Self {
        self.change(|session| session.should_refresh = Some(Arc::new(ask)))
    }

    /// Who refreshes once. Default [`AuthLock::Tab`].
    ///
    /// ```
    /// use steadfetch::{Auth, AuthLock, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).lock(AuthLock::Origin);
    /// ```
    pub fn lock(self, lock: AuthLock) -> Self {
        self.change(|session| session.lock = lock)
    }

    /// The name of the lock that the tabs share. Default `steadfetch:` and the first of [`origins`](Self::origins).
    ///
    /// ```
    /// use steadfetch::{Auth, AuthLock, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).lock(AuthLock::Origin).lock_name("shop-token");
    /// ```
    pub fn lock_name(self, name: impl Into<String>) -> Self {
        let name = name.into();
        self.change(|session| {
            // Names that begin so are the platform's (Web Locks, section 3.2).
            session.refuse(name.starts_with('-'), "auth.lock_name");
            session.lock_name = Some(name);
        })
    }

    /// With another header than `Authorization`: follow redirects, although browsers send the header along to other
    /// origins. Default false: a redirect is then an error of kind [`Network`](crate::ErrorKind::Network).
    ///
    /// ```
    /// use steadfetch::{Auth, Refreshed};
    ///
    /// let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).allow_redirects(true);
    /// ```
    pub fn allow_redirects(self, allow: bool) -> Self {
        self.change(|session| session.allow_redirects = allow)
    }
}

impl Session {
    fn refuse(&mut self, wrong: bool, name: &'static str) {
        if wrong {
            self.invalid.get_or_insert(name);
        }
    }

    pub(crate) fn invalid(&self) -> Option<&'static str> {
        self.invalid
    }

    /// Where the token of a client with this base URL may go; nowhere if nothing says so.
    pub(crate) fn origins(&self, base_url: Option<&str>) -> Vec<String> {
        match (&self.origins, base_url) {
            (Some(origins), _) => origins.clone(),
            (None, Some(base)) => vec![origin_of(base).to_owned()],
            (None, None) => platform::own_origin(None).into_iter().collect(),
        }
    }

    pub(crate) fn options(&self) -> RefreshOptions {
        RefreshOptions {
            get_token: self.get_token.is_some(),
            lock: self.lock == AuthLock::Origin && platform::has_locks(),
            timeout: self.refresh_timeout,
            before: self.refresh_before,
        }
    }

    pub(crate) fn lock_name(&self, origin: &str) -> String {
        self.lock_name.clone().unwrap_or_else(|| ["steadfetch:", origin].concat())
    }

    /// The token as it stands in its header.
    pub(crate) fn credential(&self, token: &str) -> String {
        if self.scheme.is_empty() { token.to_owned() } else { [&self.scheme, " ", token].concat() }
    }

    /// The one header that browsers take off a redirect to another origin (Fetch standard, HTTP-redirect fetch).
    pub(crate) fn is_guarded(&self) -> bool {
        !self.allow_redirects && !self.header.eq_ignore_ascii_case("Authorization")
    }
}

impl PartialEq for Auth {
    /// The very same, or a clone of it.
    fn eq(&self, other: &Self) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for Auth {}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth").field("header", &self.0.header).field("lock", &self.0.lock).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auth() -> Auth {
        Auth::cookies(|_| async { Ok(Refreshed::Renewed) })
    }

    fn assert_fits_everywhere<T: Send + Sync + Clone + 'static>(_: &T) {}

    #[test]
    fn a_clone_is_the_same_and_a_changed_one_is_not() {
        let one = auth();
        assert_fits_everywhere(&one);
        assert_eq!(one, one.clone());
        assert_ne!(one, one.clone().scheme("Token"));
        assert_ne!(one, auth());
    }

    #[test]
    fn a_wrong_option_is_named() {
        let name = |auth: Auth| auth.0.invalid();
        assert_eq!(name(auth().header("X Y")), Some("auth.header"));
        assert_eq!(name(auth().header("")), Some("auth.header"));
        assert_eq!(name(auth().scheme("a\nb")), Some("auth.scheme"));
        assert_eq!(name(auth().origins(["nowhere"])), Some("auth.origins"));
        assert_eq!(name(auth().origins([""; 0])), Some("auth.origins"));
        assert_eq!(name(auth().refresh_timeout(Duration::ZERO)), Some("auth.refresh_timeout"));
        assert_eq!(name(auth().lock_name("-a")), Some("auth.lock_name"));
        assert_eq!(name(auth().header("X-Token").scheme("").refresh_timeout(None)), None);
    }

    #[test]
    fn an_origin_is_what_a_url_is_from() {
        let origins = auth().origins(["https://A.test:443/x?y", "http://[::1]:8080"]).0.origins(None);
        assert_eq!(origins, ["https://a.test", "http://[::1]:8080"]);
        assert_eq!(auth().0.origins(Some("https://a.test/v1/")), ["https://a.test"]);
    }

    #[test]
    fn what_a_header_cannot_hold_is_no_token() {
        assert!(is_value("eyJ.a-b_c~+/=") && is_value("é"));
        assert!(!is_value("a\r\nX: y") && !is_value("a\0") && !is_value("→"));
    }
}
