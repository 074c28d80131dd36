//! What a response lets pages of other origins see, and how preflights are answered.

use serde::Deserialize;

use crate::request::Request;

/// The CORS headers of an answer: `true` (default) everything, `false` none, or said one by one.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Cors {
    All(bool),
    Exact(ExactCors),
}

/// Absent fields send no header.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ExactCors {
    /// A literal value, or "echo" for the Origin of the request.
    #[serde(default)]
    allow_origin: Option<String>,
    #[serde(default)]
    allow_credentials: bool,
    #[serde(default)]
    expose_headers: Option<String>,
}

impl Default for Cors {
    fn default() -> Self {
        Self::All(true)
    }
}

impl Cors {
    /// The headers for an answer to `request`.
    pub(crate) fn headers(&self, request: &Request) -> Vec<(String, String)> {
        let mut headers = self.permission(request);
        match self {
            Self::All(true) => {
                headers.push(pair("access-control-expose-headers", "*"));
                // Resource Timing hides its numbers from other origins without it.
                headers.push(pair("timing-allow-origin", "*"));
            }
            Self::All(false) => {}
            Self::Exact(exact) => {
                if let Some(names) = &exact.expose_headers {
                    headers.push(pair("access-control-expose-headers", names));
                }
            }
        }
        headers
    }

    /// The headers that answers and preflights share.
    fn permission(&self, request: &Request) -> Vec<(String, String)> {
        match self {
            Self::All(true) => vec![pair("access-control-allow-origin", "*")],
            Self::All(false) => Vec::new(),
            Self::Exact(exact) => {
                let mut headers = Vec::new();
                match exact.allow_origin.as_deref() {
                    Some("echo") => {
                        let origin = request.header("origin").unwrap_or("*");
                        headers.push(pair("access-control-allow-origin", origin));
                        headers.push(pair("vary", "Origin"));
                    }
                    Some(origin) => headers.push(pair("access-control-allow-origin", origin)),
                    None => {}
                }
                if exact.allow_credentials {
                    headers.push(pair("access-control-allow-credentials", "true"));
                }
                headers
            }
        }
    }
}

/// How the preflight of a request is answered: by default it may do what it asks for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Preflight {
    pub(crate) status: Option<u16>,
    pub(crate) delay: u64,
    /// What is allowed; absent: whatever is asked for.
    allow_headers: Option<Vec<String>>,
    allow_methods: Option<Vec<String>>,
    /// Seconds the browser may remember the answer; absent: no header, so the browser's default of a few seconds.
    max_age: Option<u64>,
    /// Absent: as the answer itself.
    cors: Option<Cors>,
}

impl Preflight {
    /// The headers for an answer to the preflight `request`, where `cors` is what the step says.
    pub(crate) fn headers(&self, cors: &Cors, request: &Request) -> Vec<(String, String)> {
        let cors = self.cors.as_ref().unwrap_or(cors);
        let mut headers = cors.permission(request);
        if headers.is_empty() {
            return headers;
        }
        let mut allow = |name: &str, listed: &Option<Vec<String>>, asked: &str| {
            let value = match listed {
                Some(names) => names.join(", "),
                None => request.header(asked).unwrap_or_default().to_owned(),
            };
            if !value.is_empty() {
                headers.push((name.to_owned(), value));
            }
        };
        allow("access-control-allow-headers", &self.allow_headers, "access-control-request-headers");
        allow("access-control-allow-methods", &self.allow_methods, "access-control-request-method");
        if request.header("access-control-request-private-network").is_some() {
            headers.push(pair("access-control-allow-private-network", "true"));
        }
        if let Some(seconds) = self.max_age {
            headers.push(pair("access-control-max-age", &seconds.to_string()));
        }
        headers
    }
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}
