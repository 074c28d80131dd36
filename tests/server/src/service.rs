//! Who answers the requests of a connection.

use std::sync::Arc;

use crate::control::Control;
use crate::exchange;
use crate::origin::Origin;
use crate::request::Request;
use crate::transport::Transport;

/// The answering side of a connection.
#[derive(Clone)]
pub(crate) enum Service {
    Control(Arc<Control>),
    Origin(Arc<Origin>),
}

impl Service {
    pub(crate) async fn serve(&self, transport: &mut impl Transport, request: &Request) {
        match self {
            Self::Control(control) => control.serve(transport, request).await,
            Self::Origin(origin) => exchange::serve(origin, transport, request).await,
        }
    }
}
