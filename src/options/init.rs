use std::borrow::Cow;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$each])* $variant,)*
        }

        impl std::fmt::Display for $name {
            /// The word of the Fetch standard.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $name {
            /// Every word.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word of the Fetch standard.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }
    };
}

words! {
    /// Whether cookies are sent: `credentials` of fetch.
    Credentials {
        /// Never.
        Omit = "omit",
        /// To the page's own origin only: the platform's default.
        SameOrigin = "same-origin",
        /// Always.
        Include = "include",
    }
}

words! {
    /// Whether other origins may be asked, and how: `mode` of fetch.
    Mode {
        /// With CORS: the platform's default.
        Cors = "cors",
        /// Without CORS: the response is opaque, and its body cannot be read.
        NoCors = "no-cors",
        /// Never.
        SameOrigin = "same-origin",
    }
}

words! {
    /// How the HTTP cache is used: `cache` of fetch.
    Cache {
        /// As HTTP says: the platform's default.
        Default = "default",
        /// Neither read nor written.
        NoStore = "no-store",
        /// Written, not read.
        Reload = "reload",
        /// Asked again every time, conditionally.
        NoCache = "no-cache",
        /// Read even when stale.
        ForceCache = "force-cache",
        /// Read only, same origin only.
        OnlyIfCached = "only-if-cached",
    }
}

words! {
    /// What is done with a redirect: `redirect` of fetch.
    Redirect {
        /// Followed: the platform's default.
        Follow = "follow",
        /// A network error.
        Error = "error",
        /// Given back as an opaque response.
        Manual = "manual",
    }
}

words! {
    /// How much of the page's URL is told: `referrerPolicy` of fetch.
    ReferrerPolicy {
        /// Nothing.
        NoReferrer = "no-referrer",
        /// Nothing from https to http.
        NoReferrerWhenDowngrade = "no-referrer-when-downgrade",
        /// To the same origin only.
        SameOrigin = "same-origin",
        /// The origin.
        Origin = "origin",
        /// The origin, and nothing from https to http.
        StrictOrigin = "strict-origin",
        /// All to the same origin, the origin to others.
        OriginWhenCrossOrigin = "origin-when-cross-origin",
        /// All to the same origin, the origin to others, nothing from https to http.
        StrictOriginWhenCrossOrigin = "strict-origin-when-cross-origin",
        /// All.
        UnsafeUrl = "unsafe-url",
    }
}

words! {
    /// How urgent the request is: in the [`Queue`](crate::Queue), and as a hint to the platform, `priority` of fetch.
    Priority {
        /// More urgent than others of its kind.
        High = "high",
        /// The platform's choice.
        Auto = "auto",
        /// Less urgent than others of its kind.
        Low = "low",
    }
}

/// Members of fetch's `RequestInit` that are passed on as they are.
#[derive(Clone, Default)]
pub(crate) struct Init {
    members: Vec<(&'static str, Cow<'static, str>)>,
    keepalive: Option<bool>,
}

impl Init {
    pub(crate) fn set(&mut self, name: &'static str, value: impl Into<Cow<'static, str>>) {
        self.members.retain(|(known, _)| *known != name);
        self.members.push((name, value.into()));
    }

    pub(crate) fn set_keepalive(&mut self, keepalive: bool) {
        self.keepalive = Some(keepalive);
    }

    pub(crate) fn keepalive(&self) -> bool {
        self.keepalive.unwrap_or(false)
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (name, value) in &other.members {
            self.set(name, value.clone());
        }
        self.keepalive = other.keepalive.or(self.keepalive);
    }

    /// The members that are strings.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.members.iter().map(|(name, value)| (*name, value.as_ref()))
    }
}
