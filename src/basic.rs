//! The credentials of HTTP's Basic scheme (RFC 7617).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The value of `Authorization`; `None` if the name has a colon, which would end it, or one of the two a control character.
pub(crate) fn authorization(name: &str, password: &str) -> Option<String> {
    if name.contains(':') || [name, password].iter().any(|text| text.bytes().any(|byte| byte.is_ascii_control())) {
        return None;
    }
    Some(["Basic ", &base64([name, ":", password].concat().as_bytes())].concat())
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4_usize {
            let shift = [18_u32, 12, 6, 0].get(digit).copied().unwrap_or(0);
            let index = (bits >> shift & 63) as usize;
            let known = ALPHABET.get(index).filter(|_| digit <= chunk.len());
            text.push(known.map_or('=', |byte| char::from(*byte)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_encoded_as_rfc_4648_says() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    #[test]
    fn the_credentials_are_those_of_the_examples_in_rfc_7617() {
        assert_eq!(authorization("Aladdin", "open sesame").as_deref(), Some("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="));
        assert_eq!(authorization("test", "123\u{a3}").as_deref(), Some("Basic dGVzdDoxMjPCow=="));
        assert_eq!(authorization("a:b", "c"), None);
        assert_eq!(authorization("a", "b\n"), None);
    }
}
