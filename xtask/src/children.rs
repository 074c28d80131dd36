//! The processes that are running for us, and how they end with us.
//!
//! Each child leads a process group. Browsers leave that group (their drivers put them into another), so ending a child
//! means ending its descendants too, found before the first of them is gone.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Context, Result};

static LIVE: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Being ended: what fails now fails because of that, and is not worth a word.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

fn live() -> MutexGuard<'static, BTreeSet<u32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn remember(pid: u32) {
    live().insert(pid);
}

pub(crate) fn forget(pid: u32) {
    live().remove(&pid);
}

/// On Ctrl-C, SIGTERM or SIGHUP: ends every child, then us.
pub(crate) fn end_with_us() -> Result {
    ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        for pid in live().iter() {
            kill(*pid);
        }
        // 128 + SIGINT, as shells report it.
        std::process::exit(130);
    })
    .context(|| "setting the Ctrl-C handler".into())
}

#[cfg(unix)]
pub(crate) fn kill(pid: u32) {
    use nix::sys::signal::{Signal, kill, killpg};
    use nix::unistd::Pid;

    let as_pid = |pid: u32| i32::try_from(pid).ok().map(Pid::from_raw);
    let descendants = descendants(pid);
    // Each may be gone already: that is what we want.
    if let Some(group) = as_pid(pid) {
        let _ = killpg(group, Signal::SIGKILL);
    }
    for descendant in descendants.into_iter().filter_map(as_pid) {
        let _ = kill(descendant, Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
pub(crate) fn kill(pid: u32) {
    let _ = std::process::Command::new("taskkill").args(["/F", "/T", "/PID", &pid.to_string()]).output();
}

/// All below `root` in the process tree, where `/proc` tells (elsewhere the process group has to do).
#[cfg(unix)]
fn descendants(root: u32) -> Vec<u32> {
    let parents: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            Some((pid, parent_in_stat(&stat)?))
        })
        .collect();
    let mut found = vec![root];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    found.split_off(1)
}

/// `pid (name, which may hold anything) state ppid ...`
#[cfg(unix)]
fn parent_in_stat(stat: &str) -> Option<u32> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_name_with_brackets_does_not_hide_the_parent() {
        assert_eq!(parent_in_stat("42 (a) b (c)) S 7 42 42 0"), Some(7));
        assert_eq!(parent_in_stat("42"), None);
    }
}
