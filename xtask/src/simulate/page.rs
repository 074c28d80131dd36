//! The parts of docs/simulation.md that the program writes.

/// `page` with `text` between `<!-- name -->` and `<!-- /name -->`; nothing if it lacks them.
pub(crate) fn fill(page: &str, name: &str, text: &str) -> Option<String> {
    let (before, rest) = page.split_once(&format!("<!-- {name} -->\n"))?;
    let (_, after) = rest.split_once(&format!("<!-- /{name} -->"))?;
    // Without empty lines around it a table would not end before the mark.
    Some(format!("{before}<!-- {name} -->\n\n{text}\n<!-- /{name} -->{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let page = "a\n<!-- one -->\nold\n<!-- /one -->\nb\n";
        assert_eq!(fill(page, "one", "new\n").as_deref(), Some("a\n<!-- one -->\n\nnew\n\n<!-- /one -->\nb\n"));
        assert_eq!(fill(page, "two", "new\n"), None);
    }
}
