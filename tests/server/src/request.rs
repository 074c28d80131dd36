//! The head of a request, the same for HTTP/1.1 and HTTP/2.

/// What a client asked for, without the body.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Path and query as sent.
    pub(crate) target: String,
    /// Names in lower case, in the order sent, repeated names kept apart.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) connection: ConnectionUse,
}

/// Which connection carried a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConnectionUse {
    /// Number of the connection within its origin, from 1.
    pub(crate) id: u64,
    /// Whether the connection had carried a request before.
    pub(crate) reused: bool,
}

impl Request {
    pub(crate) fn path(&self) -> &str {
        self.target.split_once('?').map_or(self.target.as_str(), |(path, _)| path)
    }

    pub(crate) fn query(&self) -> Option<&str> {
        self.target.split_once('?').map(|(_, query)| query)
    }

    /// The first header of that (lower-case) name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(candidate, _)| candidate == name).map(|(_, value)| value.as_str())
    }

    /// A query parameter, percent-decoded.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        self.query()?.split('&').find_map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (form_decode(key) == name).then(|| form_decode(value))
        })
    }

    /// What divides the step counters of a route: the header `key`, else the query parameter `key`.
    pub(crate) fn key(&self) -> Option<String> {
        self.header("key").map(str::to_owned).or_else(|| self.parameter("key"))
    }

    /// Whether a browser asks for permission here, rather than a caller for an answer.
    pub(crate) fn is_preflight(&self) -> bool {
        self.method == "OPTIONS" && self.header("access-control-request-method").is_some()
    }
}

/// Decodes a piece of a query string, where a space may come as `+`.
fn form_decode(text: &str) -> String {
    percent_decode(&text.replace('+', " "))
}

/// Decodes `%41`; what is not valid stays as it is.
pub(crate) fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'%' => match bytes.get(at..at + 2).and_then(hex_byte) {
                Some(value) => {
                    at += 2;
                    decoded.push(value);
                }
                None => decoded.push(b'%'),
            },
            other => decoded.push(other),
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    digits.iter().try_fold(0, |value: u8, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(value << 4 | digit as u8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_decoding_keeps_what_it_does_not_understand() {
        assert_eq!(form_decode("a%20b+c"), "a b c");
        assert_eq!(percent_decode("%zz%4"), "%zz%4");
        assert_eq!(percent_decode("%C3%A9"), "\u{e9}");
    }
}
