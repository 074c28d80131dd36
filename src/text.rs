//! Bytes of a body as text, exactly as the platform's own `text()` decodes them.

/// UTF-8, without a byte order mark at its start, every ill-formed sequence replaced by U+FFFD (WHATWG Encoding
/// Standard, "UTF-8 decode").
pub(crate) fn decode(bytes: &[u8]) -> String {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    String::from_utf8_lossy(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::decode;

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
