//! Request headers as the caller gave them. Whether names and values are valid is the platform's word.

/// Headers to set, or (with no value) to leave out. Names are compared in any case.
#[derive(Clone, Default)]
pub(crate) struct HeaderChanges {
    list: Vec<(String, Option<String>)>,
}

impl HeaderChanges {
    #[inline(never)]
    pub(crate) fn set(&mut self, name: String, value: Option<String>) {
        self.list.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
        self.list.push((name, value));
    }

    /// Whether the caller sets it, or leaves it out on purpose.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.list.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    #[inline(never)]
    pub(crate) fn merge(&mut self, other: &Self) {
        for (name, value) in &other.list {
            self.set(name.clone(), value.clone());
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Whether there is one that says something.
    pub(crate) fn has(&self, name: &str) -> bool {
        // What the platform leaves out around a value (Fetch standard, "normalize").
        self.get(name).is_some_and(|value| !value.trim_matches([' ', '\t', '\r', '\n']).is_empty())
    }

    /// Leaves out the type of a form that does not say its boundary: only the platform knows the one that it will use.
    #[inline(never)]
    pub(crate) fn leave_out_form_without_boundary(&mut self) {
        const NAME: &str = "Content-Type";
        if self.get(NAME).is_some_and(is_form_without_boundary) {
            self.set(NAME.to_owned(), None);
        }
    }

    /// The headers to send.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?)))
    }
}

fn is_form_without_boundary(value: &str) -> bool {
    let value = value.trim_ascii_start();
    let is_form = value.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("multipart/"));
    let names_boundary = || {
        let mut parameters = value.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
        parameters.any(|(name, _)| name.trim_ascii().eq_ignore_ascii_case("boundary"))
    };
    is_form && !names_boundary()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_merged_in_any_case() {
        let (mut client, mut call) = (HeaderChanges::default(), HeaderChanges::default());
        client.set("X-A".into(), Some("1".into()));
        client.set("X-B".into(), Some("1".into()));
        call.set("x-a".into(), Some("2".into()));
        call.set("x-b".into(), None);
        client.merge(&call);
        assert_eq!(client.iter().collect::<Vec<_>>(), [("x-a", "2")]);
        assert!(client.names("X-B") && !client.names("X-C"));
        assert!(client.has("X-a") && !client.has("X-b"));
        client.set("x-a".into(), Some(" \t".into()));
        assert!(!client.has("X-a"), "it says nothing");
    }

    #[test]
    fn e06_the_type_of_a_form_says_its_boundary_or_is_left_out() {
        let sent = |value: &str| {
            let mut headers = HeaderChanges::default();
            headers.set("content-type".into(), Some(value.into()));
            headers.leave_out_form_without_boundary();
            headers.iter().count() == 1
        };
        for value in ["multipart/form-data", " Multipart/Form-Data; charset=utf-8", "multipart/mixed; x=boundary"] {
            assert!(!sent(value), "{value}");
        }
        for value in ["multipart/form-data; boundary=b", "multipart/form-data;a=b; BOUNDARY = \"b\"", "text/plain", ""]
        {
            assert!(sent(value), "{value}");
        }
    }
}
