//! Heads of HTTP/1.1 messages: requests in, answers out.

use bytes::BytesMut;

use crate::transport::{Framing, Head};

/// A head longer than this is refused.
const LONGEST: usize = 256 * 1024;

/// A request as far as the empty line.
#[derive(Debug)]
pub(crate) struct RequestHead {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: BodyLength,
    pub(crate) expects_continue: bool,
    pub(crate) closes: bool,
}

/// What is left of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyLength {
    Known(u64),
    /// Before the line with a chunk's size.
    ChunkSize,
    /// Within a chunk, or before the line end after it.
    InChunk(u64),
    /// After the last chunk.
    Trailers,
}

/// Takes a head off `input` once it is complete. The error is the status to refuse with.
pub(crate) fn take(input: &mut BytesMut) -> Result<Option<RequestHead>, u16> {
    // Empty lines before a request are legal.
    while input.starts_with(b"\r\n") {
        let _ = input.split_to(2);
    }
    let Some(end) = input.windows(4).position(|window| window == b"\r\n\r\n") else {
        return if input.len() > LONGEST { Err(431) } else { Ok(None) };
    };
    let head = latin1(&input.split_to(end + 4)[..end]);
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(400);
    };
    let old = match version {
        "HTTP/1.1" => false,
        "HTTP/1.0" => true,
        _ => return Err(505),
    };
    let headers = lines
        .map(|line| {
            let (name, value) = line.split_once(':').ok_or(400_u16)?;
            Ok((name.to_ascii_lowercase(), value.trim().to_owned()))
        })
        .collect::<Result<Vec<_>, u16>>()?;
    let value = |name: &str| {
        headers.iter().find(|(candidate, _)| candidate == name).map(|(_, value)| value.to_ascii_lowercase())
    };
    let body = match (value("transfer-encoding"), value("content-length")) {
        (Some(coding), None) if coding == "chunked" => BodyLength::ChunkSize,
        (None, Some(length)) => BodyLength::Known(length.parse().map_err(|_| 400_u16)?),
        (None, None) => BodyLength::Known(0),
        _ => return Err(400),
    };
    let connection = value("connection").unwrap_or_default();
    let closes = connection.contains("close") || old && !connection.contains("keep-alive");
    let expects_continue = value("expect").is_some_and(|value| value == "100-continue");
    Ok(Some(RequestHead {
        method: method.to_owned(),
        target: target.to_owned(),
        body,
        expects_continue,
        closes,
        headers,
    }))
}

/// Takes a line off `input`, without its end, once it is complete.
pub(crate) fn take_line(input: &mut BytesMut) -> Option<String> {
    let end = input.windows(2).position(|window| window == b"\r\n")?;
    let line = latin1(&input[..end]);
    let _ = input.split_to(end + 2);
    Some(line)
}

/// Writes the head of an answer.
pub(crate) fn write(head: &Head, closes: bool, output: &mut Vec<u8>) {
    let version = if head.framing == Framing::UntilClose { "1.0" } else { "1.1" };
    let mut text = format!("HTTP/{version} {} {}\r\n", head.status, reason(head.status));
    for (name, value) in &head.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    match head.framing {
        Framing::None { announced: Some(length) } | Framing::Length(length) => {
            text.push_str(&format!("content-length: {length}\r\n"));
        }
        Framing::Chunked => text.push_str("transfer-encoding: chunked\r\n"),
        Framing::None { announced: None } | Framing::UntilClose => {}
    }
    if closes {
        text.push_str("connection: close\r\n");
    }
    text.push_str("\r\n");
    output.extend_from_slice(text.as_bytes());
}

/// The phrase is for people who read traces; clients ignore it.
fn reason(status: u16) -> &'static str {
    http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Scripted")
}

/// Bytes of a head are what they are; every byte is a character of Latin-1.
fn latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Option<RequestHead>, u16> {
        take(&mut BytesMut::from(text))
    }

    #[test]
    fn an_incomplete_head_waits_for_more() {
        assert!(parse("GET / HTTP/1.1\r\nhost: a\r\n").unwrap().is_none());
    }

    #[test]
    fn names_are_lower_case_and_values_trimmed() {
        let head = parse("POST /a?b HTTP/1.1\r\nX-Key:  1 \r\nContent-Length: 3\r\n\r\n");
        let head = head.unwrap().unwrap();
        assert_eq!((head.method.as_str(), head.target.as_str()), ("POST", "/a?b"));
        assert_eq!(head.headers[0], ("x-key".to_owned(), "1".to_owned()));
        assert_eq!(head.body, BodyLength::Known(3));
    }

    #[test]
    fn two_framings_are_refused() {
        let text = "POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n";
        assert_eq!(parse(text).unwrap_err(), 400);
    }

    #[test]
    fn the_connection_of_http_1_0_closes_unless_kept() {
        assert!(parse("GET / HTTP/1.0\r\n\r\n").unwrap().unwrap().closes);
        let kept = parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
        assert!(!kept.unwrap().unwrap().closes);
    }
}
