//! Request headers as the caller gave them. Whether names and values are valid is the platform's word.

/// Headers to set, or (with no value) to leave out. Names are compared in any case.
#[derive(Clone, Default)]
pub(crate) struct HeaderChanges {
    list: Vec<(String, Option<String>)>,
}

impl HeaderChanges {
    pub(crate) fn set(&mut self, name: String, value: Option<String>) {
        self.list.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
        self.list.push((name, value));
    }

    /// Sets it unless the caller did, or left it out on purpose.
    pub(crate) fn set_default(&mut self, name: &str, value: &str) {
        if !self.list.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            self.list.push((name.to_owned(), Some(value.to_owned())));
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (name, value) in &other.list {
            self.set(name.clone(), value.clone());
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// The headers to send.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?)))
    }
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
        client.set_default("X-B", "3");
        client.set_default("X-C", "3");
        assert_eq!(client.iter().collect::<Vec<_>>(), [("x-a", "2"), ("X-C", "3")]);
        assert!(client.has("X-a") && !client.has("X-b"));
    }
}
