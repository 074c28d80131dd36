//! What the person at the terminal sees of our own: one verb, one line.

use std::io::{IsTerminal, Write};
use std::time::Duration;

/// `   building steadfetch_js.wasm`, in Cargo's own layout.
pub(crate) fn doing(verb: &str, what: &str) {
    line(verb, what, "32");
}

pub(crate) fn warning(what: &str) {
    line("note", what, "33");
}

pub(crate) fn error(what: &str) {
    line("error", what, "31");
}

fn line(verb: &str, what: &str, colour: &str) {
    let mut out = std::io::stderr().lock();
    // Nothing can be done about a terminal that is gone.
    let _ = if out.is_terminal() {
        writeln!(out, "\x1b[1;{colour}m{verb:>12}\x1b[0m {what}")
    } else {
        writeln!(out, "{verb:>12} {what}")
    };
}

/// `0.4 s`, `12.3 s`, `2 min 05 s`.
pub(crate) fn seconds(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    if tenths < 1200 {
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else {
        format!("{} min {:02} s", tenths / 600, tenths % 600 / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short_to_read() {
        assert_eq!(seconds(Duration::from_millis(440)), "0.4 s");
        assert_eq!(seconds(Duration::from_millis(12_390)), "12.3 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
    }
}
