use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use steadfetch_core::error::ErrorCode;
use steadfetch_core::phase::Phase;
use steadfetch_core::stop;

use crate::driver::{Answer, Call, Driver};
use crate::error::Error;
use crate::reader::Reader;
use crate::words::RetryStopped;

/// An answer. Its body is watched to its end by the limits of its call; dropped before that, the rest is cancelled.
///
/// A response that nobody reads is ended after `idle_timeout`.
pub struct Response {
    reader: Reader,
    attempts: u32,
    elapsed: Duration,
    stopped: Option<stop::RetryStopped>,
}

impl Response {
    pub(crate) fn new(driver: Rc<Driver>, call: Rc<Call>, answer: Answer) -> Self {
        let Answer { incoming, attempts, elapsed, stopped } = answer;
        Self { reader: Reader::new(driver, call, incoming), attempts, elapsed, stopped }
    }

    /// The status; 0 for an opaque response.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.reader.incoming().status()
    }

    /// The status is 200 to 299.
    #[must_use]
    pub fn ok(&self) -> bool {
        (200..=299).contains(&self.status())
    }

    /// The URL that answered, after redirects, without fragment.
    #[must_use]
    pub fn url(&self) -> String {
        self.reader.incoming().url()
    }

    /// The answer came after a redirect.
    #[must_use]
    pub fn redirected(&self) -> bool {
        self.reader.incoming().redirected()
    }

    /// The response, unless its status is 400 or above: for calls that do not
    /// [`throw_http_errors`](crate::RequestBuilder::throw_http_errors). The body of an error is not read.
    ///
    /// # Errors
    /// [`Http`](crate::ErrorKind::Http), without [`data`](Error::data).
    pub fn error_for_status(self) -> Result<Self, Error> {
        self.error_for_status_ref()?;
        Ok(self)
    }

    /// The same, without taking the response.
    ///
    /// # Errors
    /// As [`error_for_status`](Self::error_for_status).
    pub fn error_for_status_ref(&self) -> Result<&Self, Error> {
        match self.status() {
            status @ 400.. => {
                let error = self.reader.error_after(ErrorCode::HttpError, status);
                Err(error.with(|inner| inner.phase = Some(Phase::Headers)))
            }
            _ => Ok(self),
        }
    }

    /// The length of the body that is to come, if the headers say it: `Content-Length` of a body that is not compressed.
    #[must_use]
    pub fn content_length(&self) -> Option<u64> {
        self.reader.incoming().content_length()
    }

    /// A response header, by its name in any case; several of one name are joined by a comma. Cross-origin, browsers
    /// show only those that `Access-Control-Expose-Headers` names, and the safelisted ones.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        self.reader.incoming().header(name)
    }

    /// Every response header that may be read, with its name in lower case.
    #[must_use]
    pub fn headers(&self) -> Vec<(String, String)> {
        self.reader.incoming().headers()
    }

    /// How many attempts were made.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The time from the start of the call to these headers.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Why a status of [`status_codes`](crate::Retry::status_codes) is the answer and was not retried (any further).
    #[must_use]
    pub fn retry_stopped(&self) -> Option<RetryStopped> {
        self.stopped.map(RetryStopped::of)
    }

    /// The platform's own response. A body that is read through it is covered by `timeout` and `total_timeout` only,
    /// and can no longer be read here.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    #[must_use]
    pub fn as_web(&self) -> &web_sys::Response {
        self.reader.incoming().as_web()
    }

    /// The next chunk of the body, `None` at its end.
    ///
    /// # Errors
    /// [`Timeout`](crate::ErrorKind::Timeout), [`DeadlineExceeded`](crate::ErrorKind::DeadlineExceeded),
    /// [`Network`](crate::ErrorKind::Network) if the body breaks, [`Aborted`](crate::ErrorKind::Aborted),
    /// [`ResponseTooLarge`](crate::ErrorKind::ResponseTooLarge).
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Error> {
        self.readable()?;
        self.reader.next().await
    }

    /// The body, or what is left of it.
    ///
    /// # Errors
    /// As [`chunk`](Self::chunk); for an opaque response [`UnexpectedResponse`](crate::ErrorKind::UnexpectedResponse).
    pub async fn bytes(mut self) -> Result<Vec<u8>, Error> {
        self.readable()?;
        let body = self.reader.rest().await?;
        self.reader.complete(Ok(()));
        Ok(body)
    }

    /// The body as text: UTF-8 without a byte order mark, ill-formed sequences replaced by U+FFFD, as the platform's
    /// `text()` does.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub async fn text(self) -> Result<String, Error> {
        Ok(crate::text::decode(&self.bytes().await?))
    }

    /// The body, read as JSON. The body of a 204, 205, 304 or of an answer to HEAD reads as null, which fits an
    /// `Option` and `()`.
    ///
    /// `serde_json` reads it, on every target: numbers as they stand, `deny_unknown_fields` and keys of maps as it does, and
    /// no more than 128 values within each other.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes); [`Parse`](crate::ErrorKind::Parse) if the body is no JSON or there is none,
    /// [`UnexpectedResponse`](crate::ErrorKind::UnexpectedResponse) if it is JSON of another shape: see
    /// [`Error::issues`].
    #[cfg(feature = "json")]
    pub async fn json<T: serde::de::DeserializeOwned>(mut self) -> Result<T, Error> {
        use crate::driver::Notes;
        use crate::json::Mismatch;
        self.readable()?;
        let status = self.status();
        if matches!(status, 204 | 205 | 304) || self.reader.call().request.method == "HEAD" {
            self.reader.complete(Ok(()));
            return crate::json::null().ok_or_else(|| self.reader.error_after(ErrorCode::ParseError, status));
        }
        let body = self.reader.rest().await?;
        let text = crate::text::decode(&body);
        let mismatch = match crate::json::from_text(&text) {
            Ok(value) => {
                self.reader.complete(Ok(()));
                return Ok(value);
            }
            Err(mismatch) => mismatch,
        };
        let (code, notes) = match mismatch {
            Mismatch::Syntax => {
                let hint = text.is_empty().then_some("empty-body");
                (ErrorCode::ParseError, Notes { hint, ..Notes::default() })
            }
            Mismatch::Shape(issues) => {
                (ErrorCode::UnexpectedResponse, Notes { issues: Some(issues), ..Notes::default() })
            }
        };
        let call = self.reader.call().clone();
        call.note(notes.clone());
        self.reader.complete(Err(code));
        match call.ended() {
            Some(Err(error)) => Err(error),
            // The call was over with its headers: the engine has forgotten it.
            _ => Err(notes.on(self.reader.error_after(code, status))),
        }
    }

    /// The body as a stream of chunks.
    ///
    /// From here on only `idle_timeout` holds, and those of `timeout` and `total_timeout` that were given for this very
    /// call: a stream may go on for hours. That of an opaque response gives one error, of kind
    /// [`UnexpectedResponse`](crate::ErrorKind::UnexpectedResponse).
    #[cfg(feature = "stream")]
    #[must_use]
    pub fn stream(self) -> crate::BodyStream {
        let refused = self.readable().err();
        crate::BodyStream::new(self.reader, refused)
    }

    /// Reads the rest of the body, and lets it go.
    pub(crate) async fn drain(mut self) {
        while let Ok(Some(_)) = self.reader.next().await {}
    }

    fn readable(&self) -> Result<(), Error> {
        match self.status() {
            0 => Err(self.reader.error_after(ErrorCode::UnexpectedResponse, 0)),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status())
            .field("attempts", &self.attempts)
            .field("elapsed", &self.elapsed)
            .finish_non_exhaustive()
    }
}
