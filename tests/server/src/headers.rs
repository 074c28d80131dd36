//! The response headers of a step: an object, or a list of pairs where a name comes twice or the order matters.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::http_date::imf_fixdate;

/// Headers in sending order, names in lower case.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeaderList(Vec<(String, HeaderValue)>);

/// A value, or how to make one when it is sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum HeaderValue {
    Text(String),
    Number(i64),
    Date(DateIn),
}

/// An HTTP date that many milliseconds from the moment of sending; whole seconds, rounded up.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DateIn {
    date_in: i64,
}

impl HeaderList {
    /// Name and value of each, as they are to be sent now.
    pub(crate) fn render(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.0.iter().map(|(name, value)| (name.clone(), value.render()))
    }

    fn push<E: serde::de::Error>(&mut self, name: &str, value: HeaderValue) -> Result<(), E> {
        let legal_name = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
        if !legal_name {
            return Err(E::custom(format!("header name {name:?}")));
        }
        if matches!(&value, HeaderValue::Text(text) if !is_legal_value(text)) {
            return Err(E::custom(format!("value of header {name:?}")));
        }
        self.0.push((name.to_ascii_lowercase(), value));
        Ok(())
    }
}

/// Whether a text can be sent as a header's value: anything but control characters.
pub(crate) fn is_legal_value(text: &str) -> bool {
    !text.chars().any(|character| character.is_control() && character != '\t')
}

impl HeaderValue {
    fn render(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Date(DateIn { date_in }) => {
                let offset = Duration::from_millis(date_in.unsigned_abs());
                let now = SystemTime::now();
                let then = if *date_in < 0 { now.checked_sub(offset) } else { now.checked_add(offset) };
                imf_fixdate(then.unwrap_or(now))
            }
        }
    }
}

impl<'de> Deserialize<'de> for HeaderList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ListVisitor;

        impl<'de> Visitor<'de> for ListVisitor {
            type Value = HeaderList;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of headers, or a list of [name, value]")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<HeaderList, A::Error> {
                let mut list = HeaderList::default();
                while let Some((name, value)) = map.next_entry::<String, HeaderValue>()? {
                    list.push::<A::Error>(&name, value)?;
                }
                Ok(list)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<HeaderList, A::Error> {
                let mut list = HeaderList::default();
                while let Some((name, value)) = seq.next_element::<(String, HeaderValue)>()? {
                    list.push::<A::Error>(&name, value)?;
                }
                Ok(list)
            }

            fn visit_unit<E: serde::de::Error>(self) -> Result<HeaderList, E> {
                Err(E::custom("headers: null"))
            }
        }

        deserializer.deserialize_any(ListVisitor).map_err(D::Error::custom)
    }
}
