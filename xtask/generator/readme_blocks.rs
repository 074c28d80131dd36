//! The tables in both READMEs, each between two marks: `<!-- NAME -->` and `<!-- /NAME -->`.

use crate::{errors_page, options_page};

/// The page with its blocks as they should be. A block that is not there is not put there.
pub(super) fn text(page: &str) -> String {
    let page = with_block(page, "options", &options_page::tables());
    with_block(&page, "codes", &errors_page::codes())
}

pub(super) fn with_block(page: &str, name: &str, text: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let parts = page.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let Some((before, after)) = parts else { return page.to_owned() };
    format!("{before}{begin}{}{end}{after}", text.trim_start_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::with_block;

    #[test]
    fn a_block_is_replaced_and_nothing_else() {
        assert_eq!(
            with_block("a\n<!-- x -->\nold\n<!-- /x -->\nb\n", "x", "\nnew\n"),
            "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n"
        );
        assert_eq!(with_block("a <!-- x -->", "x", "new"), "a <!-- x -->");
    }
}
