//! Knowing whether inputs have changed, by content: times change with every checkout.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use crate::error::{Context, Result};

/// Not for security: only for skipping work whose inputs are those of last time.
pub(crate) struct Fingerprint(DefaultHasher);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Self(DefaultHasher::new())
    }

    /// Each part is closed by its length, so that moving bytes from one part to the next changes the result.
    pub(crate) fn part(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.write(bytes);
        self.0.write_usize(bytes.len());
        self
    }

    pub(crate) fn file(&mut self, path: &Path) -> Result<&mut Self> {
        let bytes = fs::read(path).context(|| format!("reading {}", path.display()))?;
        Ok(self.part(&bytes))
    }

    /// The names and contents of all files below `directory`.
    pub(crate) fn directory(&mut self, directory: &Path) -> Result<&mut Self> {
        for path in files_below(directory)? {
            let name = path.strip_prefix(directory).unwrap_or(&path);
            self.part(name.to_string_lossy().as_bytes()).file(&path)?;
        }
        Ok(self)
    }

    pub(crate) fn finish(&self) -> String {
        format!("{:016x}", self.0.finish())
    }
}

/// Sorted, so that the order of the file system does not matter.
pub(crate) fn files_below(directory: &Path) -> Result<Vec<PathBuf>> {
    let failed = || format!("listing {}", directory.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).context(failed)? {
        let path = entry.context(failed)?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parts: &[&str]) -> String {
        let mut fingerprint = Fingerprint::new();
        for part in parts {
            fingerprint.part(part.as_bytes());
        }
        fingerprint.finish()
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
    }
}
