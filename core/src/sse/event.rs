//! One server-sent event.

use alloc::string::String;

use crate::time::Millis;

/// An event as the stream dispatched it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Event {
    /// The type, from the `event` field; `message` if the block has none.
    pub event: String,
    /// The `data` fields of the block, joined by line feeds.
    pub data: String,
    /// The last event ID of the stream: a block without an `id` field keeps that of the block before.
    pub id: String,
    /// The reconnection time, if this block set one.
    pub retry: Option<Millis>,
}
