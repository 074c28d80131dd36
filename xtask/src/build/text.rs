//! The module's bytes as a JavaScript string, for the files that carry them. `pkg-template/src/bytes.js` reads it.

/// Not used, since they are escaped in strings, or end the script of a page.
const UNUSED: &str = "\"$'<\\`";
/// Values of two characters begin with one of the first two.
const ESCAPES: usize = 2;

/// One character for most bytes: compressors find in it what they find in the module, unlike in base64, which cuts bytes up.
pub(super) fn encode(bytes: &[u8]) -> String {
    let characters: Vec<char> = (' '..='~').filter(|character| !UNUSED.contains(*character)).collect();
    let whole = characters.len() - ESCAPES;
    let mut text = String::with_capacity(bytes.len() * 2);
    let mut push = |value: usize| text.extend(characters.get(value));
    for byte in bytes.iter().map(|byte| usize::from(*byte)) {
        if byte < whole {
            push(byte + ESCAPES);
        } else {
            push((byte - whole) / characters.len());
            push((byte - whole) % characters.len());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_text_of_its_own_that_needs_no_escape() {
        let texts: Vec<_> = (0..=u8::MAX).map(|byte| encode(&[byte])).collect();
        for (at, text) in texts.iter().enumerate() {
            assert!(text.is_ascii() && !text.contains(['"', '$', '\'', '<', '\\', '`']), "{text}");
            assert!(!texts[at + 1..].iter().any(|other| other.starts_with(text.as_str())), "{text}");
        }
        assert_eq!(encode(&[0, 86, 87, 255]), "#~  !u");
    }
}
