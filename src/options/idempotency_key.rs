use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use steadfetch_core::engine::Given;
use steadfetch_core::error::ErrorCode;

use super::{Key, is_value};
use crate::driver::Outgoing;
use crate::platform::random_bits;
use crate::request_info::RequestInfo;

/// The header of the option (draft-ietf-httpapi-idempotency-key-header).
pub(crate) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// The `Idempotency-Key` of POST and PATCH: the same for every attempt of a call, so that a server that knows the header can tell
/// a repeated write from a new one (draft-ietf-httpapi-idempotency-key-header).
///
/// Made from a text: `"auto"` is [`auto`](Self::auto), every other text is the key itself.
#[derive(Clone)]
#[must_use]
pub struct IdempotencyKey(Kind);

#[derive(Clone)]
enum Kind {
    Auto,
    Text(String),
    Function(Key),
}

/// Adds the key to a request, unless it has one already; gives whether it has one then.
pub(crate) type AddKey = Arc<dyn Fn(&mut Outgoing, &str, bool) -> Result<bool, Wrong> + Send + Sync>;

/// Why there is no key.
pub(crate) type Wrong = (ErrorCode, Cow<'static, str>);

impl IdempotencyKey {
    /// 128 random bits for each call, as a string of structured fields (RFC 9651).
    pub const fn auto() -> Self {
        Self(Kind::Auto)
    }

    /// What the function returns for a request. It is called once for each call.
    ///
    /// Error [`Callback`](crate::ErrorKind::Callback) for a text that is empty or that no header can have.
    pub fn from_fn(key: impl Fn(&RequestInfo<'_>) -> String + Send + Sync + 'static) -> Self {
        Self(Kind::Function(Arc::new(key)))
    }

    /// The option, if its value is wrong.
    pub(crate) fn invalid(&self) -> Option<&'static str> {
        match &self.0 {
            Kind::Text(text) if !is_key(text) => {
                Some("idempotency_key: give \"auto\", or a text that is not empty and that a header can have")
            }
            _ => None,
        }
    }

    /// See [`AddKey`].
    pub(crate) fn add(
        &self,
        given: Given,
        request: &mut Outgoing,
        operation: &str,
        is_keyed: bool,
    ) -> Result<bool, Wrong> {
        // A put, say, is idempotent already, and servers keep keys for writes that are not.
        if request.method != "POST" && request.method != "PATCH" {
            if given == Given::Call {
                let detail = ["idempotency_key is for POST and PATCH, not ", &request.method].concat();
                return Err((ErrorCode::InvalidOption, detail.into()));
            }
            return Ok(is_keyed);
        }
        if is_keyed {
            return Ok(true);
        }
        let key = match &self.0 {
            Kind::Auto => random_key(),
            Kind::Text(text) => text.clone(),
            Kind::Function(key) => key(&RequestInfo::new(request, operation)),
        };
        if !is_key(&key) {
            let detail = "idempotency_key returned a text that is empty, or that no header can have";
            return Err((ErrorCode::CallbackError, detail.into()));
        }
        // One that says nothing may be there.
        request.headers.retain(|(name, _)| !name.eq_ignore_ascii_case(IDEMPOTENCY_KEY));
        request.headers.push((IDEMPOTENCY_KEY.to_owned(), key));
        Ok(true)
    }
}

/// Whether a header can have it, and it says something.
fn is_key(text: &str) -> bool {
    is_value(text) && !text.trim_matches([' ', '\t']).is_empty()
}

fn random_key() -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = random_bits().into_iter().flat_map(u32::to_be_bytes).flat_map(|byte| [byte >> 4, byte & 15]);
    let digits: String =
        digits.filter_map(|digit| DIGITS.get(usize::from(digit))).map(|&byte| char::from(byte)).collect();
    ["\"", &digits, "\""].concat()
}

impl From<&str> for IdempotencyKey {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for IdempotencyKey {
    fn from(text: String) -> Self {
        Self(if text == "auto" { Kind::Auto } else { Kind::Text(text) })
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A key is a secret: who has it can ask for the answer.
        f.debug_struct("IdempotencyKey").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_automatic_key_is_a_structured_string_and_never_the_same() {
        let (one, other) = (random_key(), random_key());
        assert_ne!(one, other);
        for key in [one, other] {
            let digits = key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).unwrap();
            assert!(digits.len() == 32 && digits.bytes().all(|byte| b"0123456789abcdef".contains(&byte)), "{key}");
        }
    }

    #[test]
    fn neither_the_key_nor_its_debug_is_shown() {
        assert!(!format!("{:?}", IdempotencyKey::from("S3CRET")).contains("S3CRET"));
    }
}
