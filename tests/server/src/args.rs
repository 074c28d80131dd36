//! The command line.

use steadfetch_fault_server::StaticFiles;

/// What the process was asked to do.
#[derive(Debug, Default)]
pub(crate) struct Args {
    pub(crate) port: u16,
    pub(crate) statics: StaticFiles,
    pub(crate) parent_watch: bool,
}

pub(crate) const USAGE: &str = "steadfetch-fault-server [--port N] [--static PREFIX=DIR]... [--parent-watch]";

impl Args {
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut args = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--port" => {
                    let text = value()?;
                    args.port = text.parse().map_err(|_| format!("no port: {text}"))?;
                }
                "--static" => {
                    let text = value()?;
                    let (prefix, directory) = text.split_once('=').ok_or_else(|| format!("no PREFIX=DIR: {text}"))?;
                    args.statics.mount(prefix, directory);
                }
                "--parent-watch" => args.parent_watch = true,
                _ => return Err(format!("unknown argument {word}")),
            }
        }
        Ok(args)
    }
}
