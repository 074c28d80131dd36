//! Requests and responses in the types of the `http` crate.

use http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};

use crate::body::Body;
use crate::client::Client;
use crate::request::RequestBuilder;
use crate::response::Response;

impl Client {
    /// A request of the `http` crate: its method, URL, headers and body, to which options can be added. Its version and its
    /// extensions are the platform's business.
    ///
    /// ```
    /// # async fn run(api: steadfetch::Client) -> Result<(), Box<dyn std::error::Error>> {
    /// let request = http::Request::put("https://api.example.test/notes/1").header("Content-Type", "text/plain").body("tea")?;
    /// let response = api.from_http(request).timeout(std::time::Duration::from_secs(2)).await?;
    /// assert!(response.status_code()?.is_success());
    /// # Ok(())
    /// # }
    /// ```
    #[allow(clippy::wrong_self_convention, reason = "it makes a request of a client and a foreign request")]
    pub fn from_http<B: Into<Body>>(&self, request: Request<B>) -> RequestBuilder {
        let (parts, body) = request.into_parts();
        let request = self.request(parts.method.as_str().to_owned(), parts.uri.to_string());
        let body = body.into();
        let request = request.header_map(&parts.headers);
        // What a GET has in its place.
        if body.len() == Some(0) { request } else { request.body(body) }
    }
}

impl RequestBuilder {
    /// Sets the headers of the `http` crate, each as [`header`](Self::header) does; several values of one name are joined by
    /// a comma (RFC 9110, section 5.3).
    ///
    /// ```
    /// # fn run(api: steadfetch::Client) {
    /// let mut headers = http::HeaderMap::new();
    /// headers.insert(http::header::ACCEPT, http::HeaderValue::from_static("text/csv"));
    /// let request = api.get("report").header_map(&headers);
    /// # drop(request);
    /// # }
    /// ```
    pub fn header_map(mut self, headers: &HeaderMap) -> Self {
        for name in headers.keys() {
            let values: Vec<String> = headers.get_all(name).iter().map(text_of).collect();
            self = self.header(name.as_str(), values.join(", "));
        }
        self
    }
}

impl From<()> for Body {
    /// Empty.
    fn from((): ()) -> Self {
        Self::from("")
    }
}

/// As the platform has it: a byte is a character.
fn text_of(value: &HeaderValue) -> String {
    value.as_bytes().iter().copied().map(char::from).collect()
}

impl Response {
    /// The status in the type of the `http` crate.
    ///
    /// # Errors
    /// For an opaque response, whose status is 0.
    pub fn status_code(&self) -> Result<StatusCode, http::status::InvalidStatusCode> {
        StatusCode::from_u16(self.status())
    }

    /// Every response header that may be read, in the type of the `http` crate.
    #[must_use]
    pub fn header_map(&self) -> HeaderMap {
        let mut map = HeaderMap::new();
        let headers = self.headers().into_iter().filter_map(|(name, value)| {
            let value: Option<Vec<u8>> = value.chars().map(|one| u8::try_from(one).ok()).collect();
            Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_bytes(&value?).ok()?))
        });
        headers.for_each(|(name, value)| {
            map.append(name, value);
        });
        map
    }
}
