//! The script of an origin: which request gets which step.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::request::Request;
use crate::step::Step;

/// Routes; the first that fits a request is taken.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    pub(crate) routes: Vec<Route>,
}

/// A family of requests and what happens to the first, second, ... of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Route {
    /// A path, or the beginning of one followed by `*`.
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) method: Methods,
    #[serde(default)]
    when: When,
    /// Request k gets step k, those after the last step get the last.
    pub(crate) steps: Vec<Step>,
}

/// `"*"`, one method, or a list.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Methods {
    One(String),
    Several(Vec<String>),
}

impl Default for Methods {
    fn default() -> Self {
        Self::One("*".to_owned())
    }
}

/// Further conditions: a text must be equal, `true` present, `false` absent.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct When {
    headers: BTreeMap<String, Wanted>,
    query: BTreeMap<String, Wanted>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Wanted {
    Present(bool),
    Equal(String),
}

impl Script {
    /// Reads a script and refuses what the server could not do exactly.
    ///
    /// # Errors
    /// A message that names the route, the step and the mistake.
    pub fn parse(json: &str, http2: bool) -> Result<Self, String> {
        let script: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        script.validate(http2)?;
        Ok(script)
    }

    pub(crate) fn validate(&self, http2: bool) -> Result<(), String> {
        for route in &self.routes {
            if route.steps.is_empty() {
                return Err(format!("route {}: no steps", route.path));
            }
            if !route.path.starts_with(['/', '*']) {
                return Err(format!("route {}: a path begins with /", route.path));
            }
            for (index, step) in route.steps.iter().enumerate() {
                step.validate(http2).map_err(|error| format!("route {}, step {index}: {error}", route.path))?;
            }
        }
        Ok(())
    }

    /// The place of the route for a request. A preflight is judged by the method it asks for; it carries no headers of
    /// the request to come, so conditions do not apply to it.
    pub(crate) fn find(&self, request: &Request) -> Option<usize> {
        let preflight = request.is_preflight();
        let method = match request.header("access-control-request-method") {
            Some(method) if preflight => method,
            _ => &request.method,
        };
        self.routes.iter().position(|route| {
            route.fits_path(request.path()) && route.method.contain(method) && (preflight || route.when.holds(request))
        })
    }
}

impl Route {
    fn fits_path(&self, path: &str) -> bool {
        match self.path.strip_suffix('*') {
            Some(beginning) => path.starts_with(beginning),
            None => path == self.path,
        }
    }
}

impl Methods {
    fn contain(&self, method: &str) -> bool {
        match self {
            Self::One(one) => one == "*" || one == method,
            Self::Several(several) => several.iter().any(|one| one == method),
        }
    }
}

impl When {
    fn holds(&self, request: &Request) -> bool {
        let header = |name: &str| request.header(&name.to_ascii_lowercase()).map(str::to_owned);
        self.headers.iter().all(|(name, wanted)| wanted.is_met_by(header(name)))
            && self.query.iter().all(|(name, wanted)| wanted.is_met_by(request.parameter(name)))
    }
}

impl Wanted {
    fn is_met_by(&self, found: Option<String>) -> bool {
        match self {
            Self::Present(wanted) => found.is_some() == *wanted,
            Self::Equal(text) => found.as_ref() == Some(text),
        }
    }
}
