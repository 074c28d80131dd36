//! The corpus that `tests/browser` reads too.

use super::sim::{client, ok, run};

mod api {
    pub(super) use crate::{Error, Response};
}

#[path = "../../tests/vectors/json.rs"]
mod corpus;

#[test]
fn a_document_is_read_as_on_every_target() {
    for row in corpus::rows() {
        let api = client(vec![ok(&corpus::text_of(&row))]).build().unwrap();
        run(async { corpus::check(&row, api.get("a").send().await.unwrap()).await });
    }
}
