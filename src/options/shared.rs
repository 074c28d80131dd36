/// The methods that [`ClientBuilder`](crate::ClientBuilder) and [`RequestBuilder`](crate::RequestBuilder) share, so that
/// a name means the same in both. The type has a field `settings`.
macro_rules! shared_options {
    () => {
        /// One attempt, from dispatch to the end of its body: 1 ms or more, `None` for no limit. Default 10 s.
        ///
        /// Error [`Timeout`](crate::ErrorKind::Timeout), phase headers or body.
        ///
        /// ```
        /// use std::time::Duration;
        /// use steadfetch::Client;
        ///
        /// let api = Client::builder().timeout(Duration::from_secs(5)).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn timeout(mut self, limit: impl Into<Option<std::time::Duration>>) -> Self {
            self.settings.set_timeout(limit.into());
            self
        }

        /// One attempt, until its response headers: 1 ms or more, `None` for no limit. Default no limit.
        ///
        /// Error [`Timeout`](crate::ErrorKind::Timeout), phase headers.
        ///
        /// ```
        /// use std::time::Duration;
        /// use steadfetch::Client;
        ///
        /// let api = Client::builder().headers_timeout(Duration::from_secs(2)).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn headers_timeout(mut self, limit: impl Into<Option<std::time::Duration>>) -> Self {
            self.settings.set_headers_timeout(limit.into());
            self
        }

        /// From the headers to the first read of the body, and each pending read: 1 ms or more, `None` for no limit.
        /// Default 10 s.
        ///
        /// Error [`Timeout`](crate::ErrorKind::Timeout), phase idle.
        ///
        /// ```
        /// use std::time::Duration;
        /// use steadfetch::Client;
        ///
        /// let api = Client::builder().idle_timeout(Duration::from_secs(20)).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn idle_timeout(mut self, limit: impl Into<Option<std::time::Duration>>) -> Self {
            self.settings.set_idle_timeout(limit.into());
            self
        }

        /// The whole call: attempts, waits, body; 1 ms or more, `None` for no limit. Default 30 s.
        ///
        /// Error [`DeadlineExceeded`](crate::ErrorKind::DeadlineExceeded), with the phase it was in. A retry whose wait
        /// does not fit is not waited for.
        ///
        /// ```
        /// use std::time::Duration;
        /// use steadfetch::Client;
        ///
        /// let api = Client::builder().total_timeout(Duration::from_secs(60)).build()?;
        /// // A download without a limit of its own.
        /// let export = api.get("export").timeout(None).total_timeout(None);
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn total_timeout(mut self, limit: impl Into<Option<std::time::Duration>>) -> Self {
            self.settings.set_total_timeout(limit.into());
            self
        }

        /// No attempt starts with less of the total time left. Default 10 ms.
        ///
        /// ```
        /// use std::time::Duration;
        /// use steadfetch::Client;
        ///
        /// let api = Client::builder().min_attempt_time(Duration::from_millis(200)).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn min_attempt_time(mut self, span: std::time::Duration) -> Self {
            self.settings.set_min_attempt_time(span);
            self
        }

        /// Kept back of the total time from every attempt. Default 0.
        ///
        /// ```
        /// use std::time::Duration;
        /// use steadfetch::Client;
        ///
        /// // 50 ms are left to draw what has come.
        /// let api = Client::builder().total_timeout(Duration::from_secs(1)).reserve(Duration::from_millis(50)).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn reserve(mut self, span: std::time::Duration) -> Self {
            self.settings.set_reserve(span);
            self
        }

        /// The most bytes a body may have, counted after decompression: 1 or more, `None` for no limit. Default no
        /// limit.
        ///
        /// Error [`ResponseTooLarge`](crate::ErrorKind::ResponseTooLarge); the body is cancelled.
        ///
        /// ```
        /// use steadfetch::Client;
        ///
        /// let api = Client::builder().max_response_bytes(10 * 1024 * 1024).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn max_response_bytes(mut self, limit: impl Into<Option<u64>>) -> Self {
            self.settings.set_max_response_bytes(limit.into());
            self
        }

        /// How failed attempts are repeated: a [`Retry`](crate::Retry), or a number for its limit. Merged by key.
        ///
        /// ```
        /// use steadfetch::Client;
        /// use steadfetch::Retry;
        ///
        /// let api = Client::builder().retry(Retry::new().limit(4).status_codes([503])).build()?;
        /// let once = api.get("status").retry(0);
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn retry(mut self, retry: impl Into<crate::Retry>) -> Self {
            self.settings.set_retry(retry.into());
            self
        }

        /// Whether a status of 400 or above is an error of kind [`Http`](crate::ErrorKind::Http). Default true.
        /// Statuses in [`status_codes`](crate::Retry::status_codes) are retried all the same.
        ///
        /// ```
        /// # #[cfg(feature = "testing")]
        /// # fn main() -> Result<(), steadfetch::Error> {
        /// # use steadfetch::testing::{Reply, Script, run};
        /// # let script = Script::new();
        /// # script.otherwise(|_| Reply::new(404));
        /// # let api = script.client().base_url("https://api.example.test/").build()?;
        /// let response = run(async { api.get("users/7").throw_http_errors(false).await })?;
        /// assert_eq!(response.status(), 404);
        /// # Ok(())
        /// # }
        /// # #[cfg(not(feature = "testing"))]
        /// # fn main() {}
        /// ```
        pub fn throw_http_errors(mut self, throw: bool) -> Self {
            use crate::options::Throw;
            self.settings.set_throw(if throw { Throw::All } else { Throw::None });
            self
        }

        /// Which statuses of 400 and above are errors of kind [`Http`](crate::ErrorKind::Http).
        ///
        /// ```
        /// # #[cfg(feature = "testing")]
        /// # fn main() -> Result<(), steadfetch::Error> {
        /// # use steadfetch::testing::{Reply, Script, run};
        /// # let script = Script::new();
        /// # script.otherwise(|_| Reply::new(404));
        /// # let api = script.client().base_url("https://api.example.test/").build()?;
        /// // A missing page is an answer here, and all else from 400 on an error.
        /// let response = run(async { api.get("users/7").throw_http_errors_for(|status| status != 404).await })?;
        /// assert_eq!(response.status(), 404);
        /// # Ok(())
        /// # }
        /// # #[cfg(not(feature = "testing"))]
        /// # fn main() {}
        /// ```
        pub fn throw_http_errors_for(mut self, throws: impl Fn(u16) -> bool + Send + Sync + 'static) -> Self {
            self.settings.set_throw(crate::options::Throw::For(std::sync::Arc::new(throws)));
            self
        }

        /// Sends the header `Idempotency-Key` with POST and PATCH, the same for every attempt of a call, and allows their retries:
        /// the server has to know the key. `"auto"`: 128 random bits for each call; any other text: this very text, which
        /// should come from one call; or an [`IdempotencyKey`](crate::IdempotencyKey) of a function. Default none. A header
        /// of that name that client or call set is sent instead. That of a client is skipped for other methods.
        ///
        /// 409 to a retry means that the server is still busy with an earlier attempt: it is waited for and retried, within
        /// [`limit`](crate::Retry::limit). 409 to a first attempt is [`Http`](crate::ErrorKind::Http) with
        /// [`Hint::InProgress`](crate::Hint::InProgress).
        ///
        /// Error [`InvalidOption`](crate::ErrorKind::InvalidOption) on a call of another method.
        ///
        /// ```
        /// # #[cfg(feature = "testing")]
        /// # fn main() -> Result<(), steadfetch::Error> {
        /// # use steadfetch::testing::{Reply, Script, run};
        /// # let script = Script::new();
        /// # script.otherwise(|_| Reply::new(200).body("hello"));
        /// # let api = script.client().base_url("https://api.example.test/").build()?;
        /// run(async { api.post("orders").body("{}").idempotency_key("auto").await })?;
        /// assert!(script.requests()[0].header("Idempotency-Key").is_some());
        /// # Ok(())
        /// # }
        /// # #[cfg(not(feature = "testing"))]
        /// # fn main() {}
        /// ```
        pub fn idempotency_key(mut self, key: impl Into<crate::IdempotencyKey>) -> Self {
            self.settings.set_idempotency_key(key.into());
            self
        }

        /// Sets a request header, in place of one of the same name (in any case) that was set before. The value is anything
        /// with `Display`.
        ///
        /// ```
        /// # #[cfg(feature = "testing")]
        /// # fn main() -> Result<(), steadfetch::Error> {
        /// # use steadfetch::testing::{Reply, Script, run};
        /// # let script = Script::new();
        /// # script.otherwise(|_| Reply::new(200).body("hello"));
        /// # let api = script.client().base_url("https://api.example.test/").build()?;
        /// run(async { api.get("users").header("X-Page", 2).await })?;
        /// assert_eq!(script.requests()[0].header("x-page"), Some("2"));
        /// # Ok(())
        /// # }
        /// # #[cfg(not(feature = "testing"))]
        /// # fn main() {}
        /// ```
        pub fn header(mut self, name: impl Into<String>, value: impl std::fmt::Display) -> Self {
            self.settings.headers.set(name.into(), Some(value.to_string()));
            self
        }

        /// Sets request headers, each as [`header`](Self::header) does.
        ///
        /// ```
        /// # #[cfg(feature = "testing")]
        /// # fn main() -> Result<(), steadfetch::Error> {
        /// # use steadfetch::testing::{Reply, Script, run};
        /// # let script = Script::new();
        /// # script.otherwise(|_| Reply::new(200).body("hello"));
        /// # let api = script.client().base_url("https://api.example.test/").build()?;
        /// run(async { api.get("users").headers([("Accept", "text/csv"), ("X-App", "shop")]).await })?;
        /// assert_eq!(script.requests()[0].header("accept"), Some("text/csv"));
        /// # Ok(())
        /// # }
        /// # #[cfg(not(feature = "testing"))]
        /// # fn main() {}
        /// ```
        pub fn headers<N: Into<String>, V: std::fmt::Display>(
            mut self,
            headers: impl IntoIterator<Item = (N, V)>,
        ) -> Self {
            for (name, value) in headers {
                self.settings.headers.set(name.into(), Some(value.to_string()));
            }
            self
        }

        /// Leaves out a header that the client sets, or the client that this one extends.
        ///
        /// ```
        /// use steadfetch::Client;
        ///
        /// let api = Client::builder().header("X-App", "shop").build()?;
        /// let request = api.get("plain").without_header("X-App");
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn without_header(mut self, name: impl Into<String>) -> Self {
            self.settings.headers.set(name.into(), None);
            self
        }

        /// Adds [`Pairs`](crate::Pairs) to the URL's query: an array, a `Vec` or a map of names and values, or a reference to a
        /// struct of serde. The pairs of a request replace those of its client, and the pairs of a view replace those of the
        /// client that it extends.
        ///
        /// Error [`InvalidOption`](crate::ErrorKind::InvalidOption) for a value that is no text, number or list of these.
        ///
        /// ```
        /// # #[cfg(feature = "testing")]
        /// # fn main() -> Result<(), steadfetch::Error> {
        /// # use steadfetch::testing::{Reply, Script, run};
        /// # let script = Script::new();
        /// # script.otherwise(|_| Reply::new(200).body("hello"));
        /// # let api = script.client().base_url("https://api.example.test/").build()?;
        /// run(async { api.get("search").query([("q", "green tea")]).await })?;
        /// assert_eq!(script.requests()[0].url(), "https://api.example.test/search?q=green+tea");
        /// # Ok(())
        /// # }
        /// # #[cfg(not(feature = "testing"))]
        /// # fn main() {}
        /// ```
        pub fn query(mut self, pairs: impl crate::Pairs) -> Self {
            if pairs.append_to(self.settings.own_query()).is_err() {
                self.settings
                    .refuse("query: give pairs, a map or a struct, whose values are texts, numbers, or lists of these");
            }
            self
        }

        /// Whether cookies are sent.
        ///
        /// ```
        /// use steadfetch::Client;
        /// use steadfetch::Credentials;
        ///
        /// let api = Client::builder().credentials(Credentials::Include).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn credentials(mut self, credentials: crate::Credentials) -> Self {
            self.settings.init.set("credentials", credentials.as_str());
            self
        }

        /// Whether other origins may be asked, and how.
        ///
        /// ```
        /// use steadfetch::Client;
        /// use steadfetch::Mode;
        ///
        /// let api = Client::builder().mode(Mode::SameOrigin).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn mode(mut self, mode: crate::Mode) -> Self {
            self.settings.init.set("mode", mode.as_str());
            self
        }

        /// How the HTTP cache is used.
        ///
        /// ```
        /// use steadfetch::Cache;
        /// use steadfetch::Client;
        ///
        /// let fresh = Client::new().get("https://api.example.test/prices").cache(Cache::NoStore);
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn cache(mut self, cache: crate::Cache) -> Self {
            self.settings.init.set("cache", cache.as_str());
            self
        }

        /// What is done with a redirect.
        ///
        /// ```
        /// use steadfetch::Client;
        /// use steadfetch::Redirect;
        ///
        /// let api = Client::builder().redirect(Redirect::Error).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn redirect(mut self, redirect: crate::Redirect) -> Self {
            self.settings.init.set("redirect", redirect.as_str());
            self
        }

        /// How much of the page's URL is told.
        ///
        /// ```
        /// use steadfetch::Client;
        /// use steadfetch::ReferrerPolicy;
        ///
        /// let api = Client::builder().referrer_policy(ReferrerPolicy::NoReferrer).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn referrer_policy(mut self, policy: crate::ReferrerPolicy) -> Self {
            self.settings.init.set("referrerPolicy", policy.as_str());
            self
        }

        /// How urgent the request is: its turn in the [`Queue`](crate::Queue), and `priority` of fetch. Default
        /// [`Auto`](crate::Priority::Auto).
        ///
        /// ```
        /// use steadfetch::Client;
        /// use steadfetch::Priority;
        ///
        /// let prefetch = Client::new().get("https://api.example.test/next").priority(Priority::Low);
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn priority(mut self, priority: crate::Priority) -> Self {
            self.settings.set_priority(priority);
            self
        }

        /// A request header that carries the milliseconds left of the total time, less [`reserve`](Self::reserve): a
        /// name, or a [`DeadlineHeader`](crate::DeadlineHeader) for other origins too. Default none. It takes the place
        /// of a header of that name.
        ///
        /// ```
        /// use steadfetch::Client;
        /// use steadfetch::DeadlineHeader;
        ///
        /// let api = Client::builder().deadline_header("X-Deadline-Ms").build()?;
        /// let everywhere = Client::builder().deadline_header(DeadlineHeader::new("X-Deadline-Ms").cross_origin(true)).build()?;
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn deadline_header(mut self, header: impl Into<crate::DeadlineHeader>) -> Self {
            self.settings.set_deadline_header(header.into());
            self
        }

        /// Whether the request outlives its page. Its body may then have at most 64 KiB.
        ///
        /// ```
        /// use steadfetch::Client;
        ///
        /// // Sent also if the page is closed meanwhile.
        /// Client::new().post("https://api.example.test/left").keepalive(true).body("{}").send().detach();
        /// # Ok::<(), steadfetch::Error>(())
        /// ```
        pub fn keepalive(mut self, keepalive: bool) -> Self {
            self.settings.init.set_keepalive(keepalive);
            self
        }
    };
}

pub(crate) use shared_options;
