//! The keys by which the engine knows what calls share.

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A key made of the number of an option and of the text that divides it, such as an origin: FNV-1a over both. Never 0,
/// which stands for no key.
pub(crate) fn key(number: u64, text: &str) -> u64 {
    let bytes = number.to_le_bytes().into_iter().chain(text.bytes());
    bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_is_fnv_1a() {
        // The published value of "foobar", reached from the state before its bytes.
        let bytes = "foobar".bytes();
        let hash = bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
        assert_eq!(hash, 0x85944171f73967e8);
    }

    #[test]
    fn each_number_and_each_text_has_its_key() {
        let keys: BTreeSet<u64> = (1..=100)
            .flat_map(|number| (0..100).map(move |text| key(number, &format!("https://{text}.test"))))
            .collect();
        assert_eq!(keys.len(), 10_000);
        assert_ne!(key(1, ""), 0);
    }
}
