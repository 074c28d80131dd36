//! Files of the project, served next to the faults so that a page of the same origin can load the product.

use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::request::percent_decode;

/// Directories by URL prefix.
#[derive(Clone, Debug, Default)]
pub struct StaticFiles {
    mounts: Vec<(String, PathBuf)>,
}

/// A file as it is served.
pub(crate) struct StaticFile {
    pub(crate) content: Bytes,
    pub(crate) content_type: &'static str,
}

impl StaticFiles {
    /// Serves the directory under the prefix; of two prefixes that fit, the longer one wins.
    pub fn mount(&mut self, prefix: &str, directory: impl Into<PathBuf>) {
        let prefix = format!("/{}", prefix.trim_matches('/'));
        self.mounts.push((prefix, directory.into()));
        self.mounts.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    }

    /// The file of a URL path; `index.html` of a directory.
    pub(crate) fn read(&self, path: &str) -> Option<StaticFile> {
        let mut file = self.locate(path)?;
        if file.is_dir() {
            file.push("index.html");
        }
        let content = std::fs::read(&file).ok()?;
        Some(StaticFile { content: Bytes::from(content), content_type: content_type(&file) })
    }

    pub(crate) fn contains(&self, path: &str) -> bool {
        self.locate(path).is_some_and(|file| file.is_file() || file.join("index.html").is_file())
    }

    fn locate(&self, path: &str) -> Option<PathBuf> {
        let path = percent_decode(path);
        let (directory, rest) = self.mounts.iter().find_map(|(prefix, directory)| {
            let rest = path.strip_prefix(prefix.trim_end_matches('/'))?;
            (rest.is_empty() || rest.starts_with('/')).then_some((directory, rest))
        })?;
        let mut file = directory.clone();
        for segment in rest.split('/').filter(|segment| !segment.is_empty()) {
            // Nothing outside the directory, and nothing hidden.
            if segment.starts_with('.') || segment.contains(['\\', '\0']) {
                return None;
            }
            file.push(segment);
        }
        Some(file)
    }
}

fn content_type(file: &Path) -> &'static str {
    let extension = file.extension().and_then(|extension| extension.to_str());
    match extension.unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" | "cjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "ts" | "txt" | "md" | "rs" | "toml" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_wins_and_nothing_leaves_the_directory() {
        let mut files = StaticFiles::default();
        files.mount("/", "/root");
        files.mount("/pkg/", "/elsewhere");
        let located = |path| files.locate(path).map(|file| file.display().to_string());
        assert_eq!(located("/pkg/a/b.js").as_deref(), Some("/elsewhere/a/b.js"));
        assert_eq!(located("/pkgs/a.js").as_deref(), Some("/root/pkgs/a.js"));
        assert_eq!(located("/pkg/../x"), None);
        assert_eq!(located("/pkg/%2e%2e/x"), None);
        assert_eq!(located("/a/.git/config"), None);
    }
}
