/// How much of a response's body has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes so far, after decompression.
    pub transferred_bytes: u64,
    /// `Content-Length`, where a body follows and the header is readable. It counts before decompression.
    pub total_bytes: Option<u64>,
}

impl Progress {
    /// The part that has come, from 0 to 1; `None` if the total is not known.
    #[must_use]
    pub fn fraction(self) -> Option<f64> {
        let total = self.total_bytes.filter(|total| *total > 0)?;
        Some((self.transferred_bytes as f64 / total as f64).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn a_compressed_body_is_never_more_than_all_of_it() {
        let at = |transferred_bytes, total_bytes| Progress { transferred_bytes, total_bytes }.fraction();
        assert_eq!(at(50, Some(100)), Some(0.5));
        assert_eq!(at(500, Some(100)), Some(1.0));
        assert_eq!(at(0, Some(0)), None);
        assert_eq!(at(5, None), None);
    }
}
