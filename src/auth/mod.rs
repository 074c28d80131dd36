//! What is done for an [`Auth`]: its callbacks are called, its tokens kept, its lock taken. Whether and when is the
//! business of `steadfetch_core::refresh`.

mod authorization;
mod bound;
mod context;
mod desk;
mod error;
mod failure;
mod inside;
mod peek;
mod refreshed;
mod tokens;
mod unusable;
mod work;

pub use context::AuthContext;
pub use error::AuthError;
pub use peek::Peek;
pub use refreshed::Refreshed;

pub(crate) use bound::{Bind, Binding};

use std::future::Future;
use std::pin::Pin;

/// A boxed future of the current thread.
pub(crate) type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;
