//! Server-sent events: the parser of the stream, and the policy of reconnecting.
//!
//! Source: HTML Standard, [section 9.2](https://html.spec.whatwg.org/multipage/server-sent-events.html).

mod event;
mod parser;
pub mod reconnect;

pub use event::Event;
pub use parser::{Parser, TooLarge};
