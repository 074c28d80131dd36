//! What the documentation of the crate holds.

/// Whose methods options are set by.
const BUILDERS: [&str; 12] = [
    include_str!("../builder.rs"),
    include_str!("../client.rs"),
    include_str!("../request.rs"),
    include_str!("../multipart.rs"),
    include_str!("../options/auth.rs"),
    include_str!("../options/circuit_breaker.rs"),
    include_str!("../options/deadline_header.rs"),
    include_str!("../options/queue.rs"),
    include_str!("../options/retry.rs"),
    include_str!("../options/retry_budget.rs"),
    include_str!("../options/scope.rs"),
    include_str!("../options/shared.rs"),
];

#[test]
fn every_method_of_a_builder_has_an_example() {
    let mut methods = 0;
    for source in BUILDERS {
        let (mut docs, mut has_example) = (false, false);
        for line in source.lines().map(str::trim) {
            if line.starts_with("///") {
                (docs, has_example) = (true, (docs && has_example) || line.starts_with("/// ```"));
            } else if line.starts_with("pub fn ") || line.starts_with("pub const fn ") {
                let takes_options = line.contains("mut self") || line.contains("(self,");
                assert!(!takes_options || has_example, "no example: {line}");
                methods += u32::from(takes_options);
                (docs, has_example) = (false, false);
            } else if !line.starts_with("#[") {
                (docs, has_example) = (false, false);
            }
        }
    }
    assert!(methods > 60, "{methods}");
}

#[test]
fn the_readme_of_the_crate_has_no_link_that_is_dead_elsewhere() {
    assert_eq!(env!("CARGO_PKG_README"), "src/README.md");
    let readme = include_str!("../README.md");
    let links = readme.split("](").skip(1);
    assert!(links.clone().count() > 0);
    for link in links {
        assert!(link.starts_with("https://"), "{link}");
    }
}

/// An engine of another version is no breaking change then.
#[test]
fn the_crate_exports_nothing_of_the_engine() {
    let exports = include_str!("../lib.rs").lines().filter(|line| line.starts_with("pub "));
    assert!(exports.clone().count() > 20);
    assert!(exports.clone().all(|line| !line.contains("steadfetch_core")), "{:?}", exports.collect::<Vec<_>>());
}
