//! The package in what users ship: the production output of bundlers and frameworks, and the runtimes that it runs in.

use crate::error::Result;
use crate::setup;
use crate::test::node;
use crate::test::session::Session;
use crate::test::step::{Outcome, Step};

pub(super) const STEPS: &[Step] = &[
    Step::new("bundles", "the production bundles of Vite 7, webpack and esbuild", |s| run(s, "bundles", &["bundles"])),
    Step::new("implementations", "other implementations of fetch, in Node", |s| {
        run(s, "implementations", &["implementations"])
    }),
    Step::new("consumers-waiting", "consumers that do not work yet", |s| run(s, "waiting", &["bundles"])).named(),
];

/// Runs `tests/consumers/SUITE.test.mjs` with the npm packages of its projects.
fn run(session: &mut Session<'_>, suite: &str, projects: &[&str]) -> Result<Outcome> {
    let suite = format!("{suite}.test.mjs");
    node::run(
        session,
        "tests/consumers",
        |name| name == suite,
        |session, node| {
            for project in projects {
                setup::consumer(session.workspace, project)?;
            }
            node::chromium(session, node)?;
            node.env("STEADFETCH_CONSUMERS", setup::consumers(session.workspace));
            Ok(())
        },
    )
}
