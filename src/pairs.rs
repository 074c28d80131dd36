//! The pairs of a query or a form, as the caller has them.

#[cfg(feature = "json")]
mod serialize;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

use crate::form;

/// Pairs of a name and a value, for the query of a URL or a form.
///
/// - Arrays, `Vec`s and maps of names and values, where a name is anything that has a `&str` and a value anything with
///   `Display`. Collect an iterator into a `Vec` first.
/// - With feature `json`, a reference to any value of serde that is a list of pairs, a map or a struct. A list as a value
///   repeats its name; `None` and `()` are left out; enums without fields are their names. A map or a struct as a value is
///   refused.
///
/// ```
/// # fn run(api: steadfetch::Client) {
/// let (term, page) = ("tea", 2);
/// let request = api.get("search").query([("q", term)]).query(vec![("page", page)]);
/// # #[cfg(feature = "json")]
/// # {
/// #[derive(serde::Serialize)]
/// struct Search<'a> {
///     q: &'a str,
///     page: u32,
///     tags: Vec<&'a str>,
///     after: Option<&'a str>,
/// }
/// // ?q=tea&page=2&tags=green&tags=black
/// let request = api.get("search").query(&Search { q: "tea", page: 2, tags: vec!["green", "black"], after: None });
/// # }
/// # }
/// ```
pub trait Pairs: sealed::Sealed {
    /// Adds the pairs, encoded, to text that may hold pairs already.
    #[doc(hidden)]
    fn append_to(self, to: &mut String) -> Result<(), Unfit>;
}

/// Why a value has no pairs: it is something else, or one of its values is.
#[doc(hidden)]
#[derive(Debug)]
pub struct Unfit;

mod sealed {
    #[expect(unnameable_types, reason = "so that the trait can grow")]
    pub trait Sealed {}
}

macro_rules! pairs {
    ($([$($parameters:tt)*] $kind:ty;)*) => {
        $(
            impl<K: AsRef<str>, V: Display, $($parameters)*> sealed::Sealed for $kind {}

            impl<K: AsRef<str>, V: Display, $($parameters)*> Pairs for $kind {
                fn append_to(self, to: &mut String) -> Result<(), Unfit> {
                    form::append(to, self);
                    Ok(())
                }
            }
        )*
    };
}

pairs! {
    [const N: usize] [(K, V); N];
    [] Vec<(K, V)>;
    [] BTreeMap<K, V>;
    [S] HashMap<K, V, S>;
}

#[cfg(feature = "json")]
impl<T: serde::Serialize + ?Sized> sealed::Sealed for &T {}

#[cfg(feature = "json")]
impl<T: serde::Serialize + ?Sized> Pairs for &T {
    fn append_to(self, to: &mut String) -> Result<(), Unfit> {
        // All of them, or none.
        let length = to.len();
        self.serialize(serialize::Writer::new(to)).inspect_err(|_| to.truncate(length))
    }
}
