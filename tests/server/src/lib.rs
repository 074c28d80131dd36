//! An HTTP server that misbehaves on request. README.md describes the control API and the scripts.

mod answer;
mod body;
mod control;
mod cors;
mod entry;
mod exchange;
mod fill;
mod gzip;
mod headers;
mod http1;
mod http1_head;
mod http2;
mod http_date;
mod listener;
mod orders;
mod origin;
mod report;
mod request;
mod script;
mod server;
mod service;
mod socket;
mod static_files;
mod step;
mod tls;
mod transport;

pub use script::Script;
pub use server::Server;
pub use static_files::StaticFiles;
pub use step::Step;
