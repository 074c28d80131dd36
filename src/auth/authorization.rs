use std::rc::Rc;

use steadfetch_core::engine::{Event, Head};

use super::Peek;
use super::desk::Desk;
use crate::driver::{Authorization, Call, Credential, Driver, Running};
use crate::error::{Cause, Error, ErrorKind};
use crate::platform::{Incoming, origin_of};
use crate::words::Phase;

/// How much of a body is shown to `should_refresh`.
const PEEK_BYTES: usize = 64 * 1024;

/// The part of a call whose request may carry the token.
pub(super) struct Granted {
    pub(super) desk: Rc<Desk>,
    /// Whose answers count.
    pub(super) origins: Vec<String>,
}

impl Granted {
    /// Whether it comes from where the token was sent: a redirect may have led elsewhere.
    fn is_ours(&self, incoming: &Incoming) -> bool {
        let url = incoming.url();
        // That of a mock may be empty.
        url.is_empty() || self.origins.iter().any(|origin| origin == origin_of(&url))
    }
}

impl Authorization for Granted {
    fn number(&self) -> u32 {
        self.desk.session.number
    }

    fn credential(&self) -> Option<Credential> {
        let session = &self.desk.session;
        let value = session.credential(&self.desk.token()?);
        Some(Credential { name: session.header.clone(), value, guarded: session.is_guarded() })
    }

    fn judge(&self, driver: &Rc<Driver>, call: &Rc<Call>, attempt: u32, head: Head) {
        let incoming = call.incoming().filter(|incoming| self.is_ours(incoming));
        let (Some(incoming), Some(ask)) = (&incoming, &self.desk.session.should_refresh) else {
            let unauthorized = head.status == 401 && incoming.is_some();
            return driver.event(call, attempt, Event::Head(Head { unauthorized, ..head }));
        };
        driver.event(call, attempt, Event::Hooking { status: head.status });
        let (incoming, ask) = (incoming.clone(), ask.clone());
        let (driver_then, call) = (driver.clone(), call.clone());
        driver.platform.spawn(async move {
            let body = incoming.peek(PEEK_BYTES).await;
            let running = Running::Call(call.clone());
            let unauthorized = driver_then.call_back(running, || ask(&Peek::new(&incoming, &body)));
            driver_then.event(&call, attempt, Event::Head(Head { unauthorized, ..head }));
        });
    }

    fn cause(&self, error: &Error) -> Option<Cause> {
        match (error.kind(), error.phase()) {
            (ErrorKind::AuthRefreshFailed, _) => self.desk.refresh_failure.get(),
            (ErrorKind::Callback, Some(Phase::Auth | Phase::Refresh)) => self.desk.token_failure.get(),
            _ => None,
        }
    }
}
