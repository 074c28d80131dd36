//! One command at a time where two would write the same files.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use crate::error::{Context, Result};
use crate::say;

/// Held until dropped; the system releases it too when the process dies.
pub(crate) struct Lock(#[expect(dead_code, reason = "open for as long as the lock is held")] File);

impl Lock {
    pub(crate) fn acquire(path: &Path, guarded: &str) -> Result<Self> {
        let failed = || format!("locking {}", path.display());
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).context(failed)?;
        }
        let file = File::create(path).context(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                say::doing("waiting", &format!("for another command: {guarded}"));
                file.lock().context(failed)?;
            }
            Err(TryLockError::Error(error)) => return Err(error).context(failed),
        }
        Ok(Self(file))
    }
}
