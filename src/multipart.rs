//! Forms with files, `multipart/form-data` (RFC 7578), written the same on every target.
//!
//! The whole form is in memory, so it is sent again where a call may be. For a `File` that the user has picked in a page, a
//! `web_sys::FormData` as [`Body`](crate::Body) is cheaper: the platform reads it.

use std::fmt::Display;

/// The fields of a form, in their order: [`RequestBuilder::multipart`](crate::RequestBuilder::multipart).
///
/// ```
/// use steadfetch::Client;
/// use steadfetch::multipart::{Form, Part};
///
/// # fn run(api: Client, photo: Vec<u8>) {
/// let form = Form::new()
///     .text("title", "Sunset")
///     .part("photo", Part::bytes(photo).file_name("sunset.png").content_type("image/png"));
/// let request = api.post("photos").multipart(form);
/// # }
/// ```
#[derive(Clone, Default)]
#[must_use = "a form does nothing until a request has it"]
pub struct Form(Vec<(String, Part)>);

/// The value of a field.
#[derive(Clone)]
#[must_use = "a part does nothing until a form has it"]
pub struct Part {
    value: Vec<u8>,
    file_name: Option<String>,
    content_type: Option<String>,
}

impl Form {
    /// A form without fields.
    ///
    /// ```
    /// use steadfetch::multipart::Form;
    ///
    /// let form = Form::new().text("title", "Notes");
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text. Its line breaks are sent as CRLF, as browsers do.
    ///
    /// ```
    /// use steadfetch::multipart::Form;
    ///
    /// let form = Form::new().text("title", "Notes").text("pages", 3);
    /// ```
    pub fn text(self, name: impl Into<String>, value: impl Display) -> Self {
        self.part(name, Part::text(value))
    }

    /// Adds a value of any kind. Several may have one name.
    ///
    /// ```
    /// use steadfetch::multipart::{Form, Part};
    ///
    /// let form = Form::new().part("file", Part::bytes(b"a,b").file_name("table.csv"));
    /// ```
    pub fn part(mut self, name: impl Into<String>, part: Part) -> Self {
        self.0.push((name.into(), part));
        self
    }

    /// The body and its `Content-Type`; `None` if a part has a type that no header can hold.
    pub(crate) fn encode(&self) -> Option<(Vec<u8>, String)> {
        let boundary = self.boundary();
        let mut body = Vec::new();
        for (name, part) in &self.0 {
            let mut head =
                ["--", &boundary, "\r\nContent-Disposition: form-data; name=\"", &escape(&lines(name))].concat();
            if let Some(file_name) = &part.file_name {
                head.extend(["\"; filename=\"", &escape(file_name)]);
            }
            head.push('"');
            let content_type = part.content_type.as_deref();
            if let Some(content_type) = content_type.or(part.file_name.as_ref().map(|_| "application/octet-stream")) {
                if !crate::options::is_value(content_type) {
                    return None;
                }
                head.extend(["\r\nContent-Type: ", content_type]);
            }
            body.extend(head.into_bytes());
            body.extend(b"\r\n\r\n");
            body.extend(&part.value);
            body.extend(b"\r\n");
        }
        body.extend(["--", &boundary, "--\r\n"].concat().into_bytes());
        Some((body, ["multipart/form-data; boundary=", &boundary].concat()))
    }

    /// A text that no value holds. Equal forms have equal ones, so that a copy of a request is the same request.
    fn boundary(&self) -> String {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        loop {
            for byte in self.0.iter().flat_map(|(_, part)| &part.value) {
                // FNV-1a.
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
            let boundary = format!("steadfetch-{hash:016x}");
            let holds = |part: &Part| part.value.windows(boundary.len()).any(|window| window == boundary.as_bytes());
            if !self.0.iter().any(|(_, part)| holds(part)) {
                return boundary;
            }
            hash = hash.wrapping_add(1);
        }
    }
}

impl Part {
    /// A text. Its line breaks are sent as CRLF, as browsers do.
    pub fn text(value: impl Display) -> Self {
        Self { value: lines(&value.to_string()).into_bytes(), file_name: None, content_type: None }
    }

    /// Bytes, sent as they are.
    pub fn bytes(value: impl Into<Vec<u8>>) -> Self {
        Self { value: value.into(), file_name: None, content_type: None }
    }

    /// Makes it a file of this name, of type `application/octet-stream` unless it has [another](Self::content_type).
    ///
    /// ```
    /// use steadfetch::multipart::Part;
    ///
    /// let part = Part::bytes(b"a,b").file_name("table.csv");
    /// ```
    pub fn file_name(mut self, name: impl Into<String>) -> Self {
        self.file_name = Some(name.into());
        self
    }

    /// Its media type.
    ///
    /// ```
    /// use steadfetch::multipart::Part;
    ///
    /// let part = Part::bytes(b"a,b").content_type("text/csv");
    /// ```
    pub fn content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }
}

/// The text with each line break as CRLF (HTML standard, "constructing the entry list").
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n")
}

/// A name within quotes (HTML standard, "multipart/form-data encoding algorithm").
fn escape(name: &str) -> String {
    name.replace('\n', "%0A").replace('\r', "%0D").replace('"', "%22")
}

impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Form").field("parts", &self.0.len()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Part").field("len", &self.value.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(form: &Form) -> (String, String) {
        let (body, content_type) = form.encode().unwrap();
        let boundary = content_type.strip_prefix("multipart/form-data; boundary=").unwrap().to_owned();
        (String::from_utf8(body).unwrap(), boundary)
    }

    #[test]
    fn a_form_is_written_as_browsers_do() {
        let file = Part::bytes(*b"\0\r").file_name("a\".png").content_type("image/png");
        let form =
            Form::new().text("a\n\"b", "1\n2\r3\r\n4").part("f", file).part("g", Part::bytes([7]).file_name("g"));
        let (body, boundary) = text_of(&form);
        let expected = [
            "--B\r\nContent-Disposition: form-data; name=\"a%0D%0A%22b\"\r\n\r\n1\r\n2\r\n3\r\n4\r\n",
            "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a%22.png\"\r\nContent-Type: image/png\r\n\r\n\0\r\r\n",
            "--B\r\nContent-Disposition: form-data; name=\"g\"; filename=\"g\"\r\nContent-Type: application/octet-stream\r\n\r\n\u{7}\r\n",
            "--B--\r\n",
        ];
        assert_eq!(body.replace(&boundary, "B"), expected.concat());
    }

    #[test]
    fn no_value_holds_the_boundary() {
        // The boundary is a function of the values alone: a forger knows it, and must not profit.
        let (_, first) = text_of(&Form::new().text("a", "x"));
        let forged = Form::new().text("a", &first).text("b", "x");
        let (body, boundary) = text_of(&forged);
        assert_eq!(body.matches(&boundary).count(), 3);
        let empty = text_of(&Form::new());
        assert_eq!(empty.0, ["--", &empty.1, "--\r\n"].concat());
    }

    #[test]
    fn a_type_that_no_header_can_hold_is_refused() {
        assert!(Form::new().part("a", Part::bytes([]).content_type("a/b\r\nX: y")).encode().is_none());
    }
}
