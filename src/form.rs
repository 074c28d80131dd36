//! `application/x-www-form-urlencoded`, as the URL standard serializes it.

use std::fmt::{Display, Write};

/// Adds pairs to text that may hold pairs already.
pub(crate) fn append<K: AsRef<str>, V: Display>(to: &mut String, pairs: impl IntoIterator<Item = (K, V)>) {
    for (key, value) in pairs {
        if !to.is_empty() {
            to.push('&');
        }
        let mut encoder = Encoder(to);
        // Writing to a string does not fail, unless the value's own Display does: what it wrote so far then stands.
        let _ = encoder.write_str(key.as_ref());
        encoder.0.push('=');
        let _ = write!(encoder, "{value}");
    }
}

struct Encoder<'a>(&'a mut String);

impl Write for Encoder<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        const HEX: &[u8; 16] = b"0123456789ABCDEF";
        let hex = |digit: u8| HEX.get(usize::from(digit & 15)).map_or('0', |digit| char::from(*digit));
        for byte in text.bytes() {
            match byte {
                b' ' => self.0.push('+'),
                b'*' | b'-' | b'.' | b'_' => self.0.push(char::from(byte)),
                byte if byte.is_ascii_alphanumeric() => self.0.push(char::from(byte)),
                byte => self.0.extend(['%', hex(byte >> 4), hex(byte)]),
            }
        }
        Ok(())
    }
}

/// Puts pairs into the query of a URL, before its fragment.
#[inline(never)]
pub(crate) fn extend_query(url: &str, query: &str) -> String {
    if query.is_empty() {
        return url.to_owned();
    }
    let (before, hash, fragment) = match url.split_once('#') {
        Some((before, fragment)) => (before, "#", fragment),
        None => (url, "", ""),
    };
    let joint = match before.as_bytes() {
        [.., b'?' | b'&'] => "",
        bytes if bytes.contains(&b'?') => "&",
        _ => "?",
    };
    [before, joint, query, hash, fragment].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_encodes_as_url_search_params_does() {
        let mut text = String::new();
        append(&mut text, [("a b", "c&d=e"), ("*-._", "~!'()"), ("é", "\u{1f600}")]);
        assert_eq!(text, "a+b=c%26d%3De&*-._=%7E%21%27%28%29&%C3%A9=%F0%9F%98%80");
        append(&mut text, [("n", 7)]);
        assert!(text.ends_with("&n=7"));
    }

    #[test]
    fn pairs_go_before_the_fragment() {
        assert_eq!(extend_query("https://a/b", "c=d"), "https://a/b?c=d");
        assert_eq!(extend_query("https://a/b?", "c=d"), "https://a/b?c=d");
        assert_eq!(extend_query("https://a/b?x=y#z?", "c=d"), "https://a/b?x=y&c=d#z?");
        assert_eq!(extend_query("https://a/b#z", "c=d"), "https://a/b?c=d#z");
        assert_eq!(extend_query("https://a/b#z", ""), "https://a/b#z");
    }
}
