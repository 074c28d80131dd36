//! The package in what users ship: the production output of bundlers and frameworks, and the runtimes that it runs in.

use crate::error::Result;
use crate::setup;
use crate::test::node;
use crate::test::session::Session;
use crate::test::step::{Outcome, Step};

pub(super) const STEPS: &[Step] = &[
    Step::new("bundles", "built by Vite 7, Rollup, webpack and esbuild, and in workerd", |s| {
        run(s, "bundles", &["bundles"])
    }),
    Step::new("implementations", "other implementations of fetch, in Node", |s| {
        run(s, "implementations", &["implementations"])
    }),
    Step::new("consumers-bundles", "built by Vite 5, 6 and 8, Rspack, Parcel and Bun", |s| {
        run(s, "more-bundles", &["more-bundles"])
    })
    .extra(),
    Step::new("consumers-runtimes", "in Node 20, 22 and 24, Deno and Bun", |s| run(s, "runtimes", &["runtimes"]))
        .extra(),
    Step::new("consumers-tests", "in the tests of Jest and Vitest", |s| {
        run(s, "test-runners", &["jest-29", "jest-30", "vitest"])
    })
    .extra(),
    Step::new("consumers-next", "in an application of Next", |s| run(s, "next", &["next"])).extra(),
    Step::new("consumers-sveltekit", "in an application of SvelteKit", |s| run(s, "sveltekit", &["sveltekit"])).extra(),
    Step::new("consumers-nuxt", "in an application of Nuxt", |s| run(s, "nuxt", &["nuxt"])).extra(),
    Step::new("consumers-astro", "in an application of Astro", |s| run(s, "astro", &["astro", "runtimes"])).extra(),
    Step::new("consumers-angular", "in an application of Angular", |s| run(s, "angular", &["angular"])).extra(),
    Step::new("consumers-waiting", "consumers that do not work yet", |s| run(s, "waiting", &["vitest"])).named(),
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
