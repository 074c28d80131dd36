//! Counting tests in what the suites print.

use std::fmt;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: u64,
    pub(super) failed: u64,
    /// Tests that a summary is still to come for. Some left at the end: their process has ended before them.
    pub(super) unheard: u64,
}

impl Counts {
    /// Reads a summary line of cargo test, wasm-bindgen-test, cargo nextest or node --test; any other line is not one.
    pub(super) fn read(&mut self, line: &str) {
        let line = line.trim();
        let words: Vec<&str> = line.split([' ', ';', ',', '(', ')']).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            // `test result: ok. 3 passed; 1 failed; 0 ignored`
            ["test", "result:", _, rest @ ..] => {
                self.passed += before(rest, &["passed"]);
                self.failed += before(rest, &["failed"]);
                let heard = before(rest, &["passed", "failed", "ignored", "measured"]);
                self.unheard = self.unheard.saturating_sub(heard);
            }
            // `running 4 tests`
            ["running", number, "test" | "tests"] => self.unheard += number.parse().unwrap_or(0),
            // `Summary [ 0.1s] 4 tests run: 2 passed (1 slow), 1 failed, 1 timed out, 0 skipped`
            ["Summary", rest @ ..] if rest.contains(&"run:") => {
                self.passed += before(rest, &["passed"]);
                self.failed += before(rest, &["failed", "timed"]);
            }
            // `ℹ pass 3`
            ["ℹ", "pass", number] => self.passed += number.parse().unwrap_or(0),
            ["ℹ", "fail" | "cancelled", number] => self.failed += number.parse().unwrap_or(0),
            _ => {}
        }
    }
}

/// The sum of the numbers that stand before one of `names`.
fn before(words: &[&str], names: &[&str]) -> u64 {
    words
        .windows(2)
        .filter_map(|pair| match pair {
            [number, name] if names.contains(name) => number.parse::<u64>().ok(),
            _ => None,
        })
        .sum()
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> (u64, u64) {
        let mut counts = Counts::default();
        lines.iter().for_each(|line| counts.read(line));
        (counts.passed, counts.failed)
    }

    #[test]
    fn cargo_test_and_wasm_bindgen_test() {
        let ok = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        let failed = "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 filtered out; finished in 0.35s";
        assert_eq!(read(&[ok, failed]), (5, 1));
    }

    #[test]
    fn a_suite_that_ends_without_its_summary_is_missed() {
        let mut counts = Counts::default();
        let ended = ["running 4 tests", "test result: ok. 2 passed; 0 failed; 1 ignored; 1 measured; 5 filtered out"];
        ended.iter().chain(&["running 1 test", "test a ... ok"]).for_each(|line| counts.read(line));
        assert_eq!((counts.passed, counts.unheard), (2, 1));
    }

    #[test]
    fn nextest() {
        assert_eq!(read(&["     Summary [   0.120s] 12 tests run: 12 passed, 0 skipped"]), (12, 0));
        let mixed = "     Summary [   9.1s] 4 tests run: 1 passed (1 slow), 2 failed, 1 timed out, 0 skipped";
        assert_eq!(read(&[mixed]), (1, 3));
    }

    #[test]
    fn node() {
        assert_eq!(read(&["ℹ tests 6", "ℹ pass 3", "ℹ fail 2", "ℹ cancelled 1", "ℹ skipped 0"]), (3, 3));
    }

    #[test]
    fn what_a_test_prints_is_not_a_summary() {
        assert_eq!(read(&["12 passed", "test a ... ok", "Summary of 3 passed"]), (0, 0));
    }
}
