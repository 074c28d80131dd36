//! From a step and a request to the head and the body of an answer.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};

use crate::body::{BodySource, Data};
use crate::gzip::{GzipStream, compress};
use crate::request::Request;
use crate::static_files::StaticFiles;
use crate::step::{ConnectionHeader, End, Step};
use crate::transport::{Framing, Head};

/// An answer, ready to be sent.
pub(crate) struct Answer {
    pub(crate) head: Head,
    pub(crate) body: BodySource,
    /// Set where the pieces are compressed on their way out.
    pub(crate) gzip: Option<GzipStream>,
}

impl Answer {
    /// What `step` answers to `request`, whose body was `received`.
    pub(crate) fn new(
        step: &Step,
        request: &Request,
        received: &[u8],
        received_bytes: u64,
        statics: &StaticFiles,
    ) -> Self {
        let mut status = step.status.unwrap_or(200);
        let mut extra = Vec::new();
        let mut content_type = None;
        let mut body = if step.echo {
            let echo = echo(request, received, received_bytes);
            BodySource::whole(Data::Bytes(Bytes::from(echo.to_string())), Some("application/json"))
        } else if step.file {
            match statics.read(request.path()) {
                Some(file) => {
                    content_type = Some(file.content_type);
                    BodySource::whole(Data::Bytes(file.content), None)
                }
                None => {
                    status = 404;
                    let text = json!({ "error": "no such file", "path": request.path() });
                    let data = Data::Bytes(Bytes::from(text.to_string()));
                    BodySource::whole(data, Some("application/json"))
                }
            }
        } else {
            // Checked when the script was accepted.
            step.body_source().unwrap_or_else(|_| BodySource::whole(Data::Bytes(Bytes::new()), None))
        };

        let mut gzip = None;
        if step.gzip {
            extra.push(("content-encoding".to_owned(), "gzip".to_owned()));
            match body.take_whole() {
                Some(data) => {
                    body = BodySource::whole(Data::Bytes(compress(data)), body.content_type);
                }
                None => gzip = Some(GzipStream::new()),
            }
        }
        if let Some(split) = &step.split {
            body = body.split(split);
        }
        if let Some(redirect) = &step.redirect {
            status = redirect.status;
            extra.push(("location".to_owned(), redirect.to.clone()));
        }
        if let Some(content_type) = content_type.or(body.content_type) {
            extra.push(("content-type".to_owned(), content_type.to_owned()));
        }
        extra.push(("cache-control".to_owned(), "no-store".to_owned()));
        extra.extend(step.cors.headers(request));

        let framing = framing(step, request, status, body.length);
        // What the script says replaces what the server would have said of itself.
        let mut headers: Vec<_> = step.headers.render().collect();
        let scripted: Vec<String> = headers.iter().map(|(name, _)| name.clone()).collect();
        headers.extend(extra.into_iter().filter(|(name, _)| !scripted.contains(name)));
        let close = step.connection == ConnectionHeader::Close;
        Self { head: Head { status, headers, framing, close }, body, gzip }
    }
}

fn framing(step: &Step, request: &Request, status: u16, length: Option<u64>) -> Framing {
    if status == 204 || status == 304 {
        return Framing::None { announced: None };
    }
    if request.method == "HEAD" {
        return Framing::None { announced: step.content_length.or(length) };
    }
    if let Some(length) = step.content_length {
        return Framing::Length(length);
    }
    if step.http10 {
        return Framing::UntilClose;
    }
    match length {
        // A message that breaks off must be seen to break off: with a right Content-Length it would be complete.
        Some(length) if step.end == End::Fin && !step.chunked => Framing::Length(length),
        _ => Framing::Chunked,
    }
}

/// The request as JSON, for tests that ask what really went out.
fn echo(request: &Request, received: &[u8], received_bytes: u64) -> Value {
    let mut value = json!({
        "method": request.method,
        "url": request.target,
        "headers": headers_object(&request.headers),
        "bodyBytes": received_bytes,
    });
    // Of a body above what the server keeps, only the length is told.
    if received.len() as u64 == received_bytes {
        match std::str::from_utf8(received) {
            Ok(text) => value["body"] = json!(text),
            Err(_) => value["bodyBase64"] = json!(STANDARD.encode(received)),
        }
    }
    let content_type = request.header("content-type").unwrap_or_default();
    if content_type.starts_with("multipart/") {
        let boundary = content_type
            .split_once("boundary=")
            .map(|(_, rest)| rest.split(';').next().unwrap_or_default().trim_matches('"'));
        let found = boundary.is_some_and(|boundary| {
            let delimiter = format!("--{boundary}");
            received.windows(delimiter.len()).any(|window| window == delimiter.as_bytes())
        });
        value["multipart"] = json!({ "boundary": boundary, "found": found });
    }
    value
}

/// Headers as an object; values of a name that came twice are joined as RFC 9110 allows.
pub(crate) fn headers_object(headers: &[(String, String)]) -> serde_json::Map<String, Value> {
    let mut object = serde_json::Map::new();
    for (name, value) in headers {
        match object.get_mut(name) {
            Some(Value::String(joined)) => {
                joined.push_str(", ");
                joined.push_str(value);
            }
            _ => {
                object.insert(name.clone(), Value::String(value.clone()));
            }
        }
    }
    object
}
