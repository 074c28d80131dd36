//! Programs of the system: named by a variable, or on PATH.

use std::env;
use std::path::PathBuf;

use crate::error::{Failure, Result};

/// The file that `variable` names, else the first of `names` that is on PATH.
pub(super) fn find(variable: &str, names: &[&str]) -> Result<Option<PathBuf>> {
    match env::var_os(variable).map(PathBuf::from) {
        Some(path) if !path.is_file() => {
            Err(Failure::new(format!("{variable} names {}, which is no file", path.display())))
        }
        Some(path) => Ok(Some(path)),
        None => Ok(names.iter().find_map(|name| on_path(name))),
    }
}

pub(super) fn on_path(program: &str) -> Option<PathBuf> {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|directory| directory.join(&name)).find(|path| path.is_file())
}

/// For a message: where the first of `names` is, or that none is there.
pub(super) fn whereabouts(names: &[&str]) -> String {
    match names.iter().find_map(|name| on_path(name)) {
        Some(path) => path.display().to_string(),
        None => format!("missing ({} is not on PATH)", names.join(", ")),
    }
}
