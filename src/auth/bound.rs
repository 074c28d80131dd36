use std::rc::Rc;
use std::sync::Arc;

use super::desk::Desk;
use crate::builder::Config;
use crate::driver::{Authorization, Driver, Outgoing};
use crate::options::Auth;
use crate::platform::origin_of;

/// What a builder was given. Behind a trait, so that an app that has none links nothing of it.
pub(crate) trait Bind: Send + Sync {
    /// Makes it that of a client. Fails with the name of a wrong option.
    fn bind(&self, config: &Config) -> Result<Arc<dyn Binding>, &'static str>;
}

/// What a client and its views have of it.
pub(crate) trait Binding: Send + Sync {
    /// The part of a call in it; `None` if its token is not for this request.
    fn authorize(&self, driver: &Rc<Driver>, request: &Outgoing) -> Option<Box<dyn Authorization>>;
}

struct Bound {
    auth: Auth,
    /// The client that was given it, for the calls of its callbacks: without it, and without queue.
    home: Arc<Config>,
}

impl Bind for Auth {
    fn bind(&self, config: &Config) -> Result<Arc<dyn Binding>, &'static str> {
        if let Some(name) = self.0.invalid() {
            return Err(name);
        }
        // Where nothing can be sent, nothing needs to be said.
        if config.backend.can_send() && self.0.origins(config.base_url.as_deref()).is_empty() {
            return Err("auth.origins");
        }
        let mut home = config.clone();
        home.auth = None;
        // The desks hold it, and the driver holds the desks.
        home.backend = home.backend.uncounted();
        home.shared.leave_queue();
        Ok(Arc::new(Bound { auth: self.clone(), home: Arc::new(home) }))
    }
}

impl Binding for Bound {
    fn authorize(&self, driver: &Rc<Driver>, request: &Outgoing) -> Option<Box<dyn Authorization>> {
        let session = &self.auth.0;
        // A callback's own call.
        if driver.inside.get() == session.number {
            return None;
        }
        let said = |name: &str| request.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        if said("Authorization") || said(&session.header) {
            return None;
        }
        // Of the client that was given it: a view with another base URL does not take the token along.
        let origins = session.origins(self.home.base_url.as_deref());
        let own = origin_of(&request.target);
        if !origins.iter().any(|origin| origin == own) {
            return None;
        }
        let keeper = match driver.keeper(session.number) {
            Some(keeper) => keeper,
            None => Desk::open(driver, session, &self.home, session.lock_name(origins.first()?)),
        };
        Some(keeper.authorize(origins))
    }
}
