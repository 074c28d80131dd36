//! Bytes of a body as text, exactly as the platform's own `text()` decodes them.

use crate::platform;

/// UTF-8, without a byte order mark at its start, every ill-formed sequence replaced by U+FFFD (WHATWG Encoding
/// Standard, "UTF-8 decode").
pub(crate) fn decode(bytes: &[u8]) -> String {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => platform::decode_lossily(text),
    }
}

/// By the charset of a content type: that of an error's body, which may come from anywhere.
#[inline(never)]
pub(crate) fn decode_as(bytes: &[u8], content_type: &str) -> String {
    charset_of(content_type).and_then(|label| platform::decode(bytes, label)).unwrap_or_else(|| decode(bytes))
}

/// The charset of a content type, if it is another one than UTF-8.
fn charset_of(content_type: &str) -> Option<&str> {
    let mut parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, label) = parameters.find(|(name, _)| name.trim_ascii().eq_ignore_ascii_case("charset"))?;
    let label = label.trim_ascii().trim_matches('"').trim_ascii();
    (!label.eq_ignore_ascii_case("utf-8") && !label.is_empty()).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::{charset_of, decode, decode_as};

    #[test]
    fn a_charset_is_found_in_a_content_type() {
        for (kind, charset) in [
            ("text/html; charset=windows-1251", Some("windows-1251")),
            ("text/html;a=b; Charset = \"koi8-r\" ;c=d", Some("koi8-r")),
            ("text/html; charset=UTF-8", None),
            ("text/html; charset=", None),
            ("charset=koi8-r", None),
            ("", None),
        ] {
            assert_eq!(charset_of(kind), charset, "{kind}");
        }
    }

    #[test]
    fn the_body_of_an_error_is_read_by_its_charset() {
        assert_eq!(decode_as(b"caf\xe9 \x80", "text/plain; charset=iso-8859-1"), "caf\u{e9} \u{20ac}");
        assert_eq!(decode_as(b"caf\xc3\xa9", "text/plain"), "caf\u{e9}");
        assert_eq!(decode_as(b"caf\xc3\xa9", "text/plain; charset=nonsense"), "caf\u{e9}");
    }

    #[test]
    fn d08_a_byte_order_mark_is_no_text() {
        assert_eq!(decode(b"\xef\xbb\xbf{\"a\":1}"), "{\"a\":1}");
        assert_eq!(decode(b"a\xef\xbb\xbf"), "a\u{feff}");
        assert_eq!(decode(b"\xef\xbb"), "\u{fffd}");
    }

    #[test]
    fn ill_formed_sequences_are_replaced() {
        assert_eq!(decode(b"a\xffb\xf0\x9f\x98c"), "a\u{fffd}b\u{fffd}c");
    }
}
