//! A client of the fault server's control API (`tests/server/README.md`), over the platform's own fetch.

use serde_json::{Value, json};

use crate::platform::bare_fetch;

/// Where the server listens, unless the environment says otherwise when the tests are built.
const DEFAULT: &str = "http://127.0.0.1:4700";

/// A running fault server.
#[derive(Clone, Debug)]
pub struct Server {
    control: String,
}

/// One origin of a fault server, with connections of its own. Close it at the end of a test.
#[derive(Debug)]
pub struct Origin {
    control: String,
    /// Scheme, host and port.
    pub origin: String,
}

async fn ask(method: &str, url: &str, body: Option<&Value>) -> Value {
    let body = body.map(Value::to_string);
    match bare_fetch(method, url, body.as_deref()).await {
        Ok((200..=299, text)) if text.is_empty() => Value::Null,
        Ok((200..=299, text)) => serde_json::from_str(&text).expect("the control API speaks JSON"),
        Ok((status, text)) => panic!("the fault server refuses {method} {url}: {status} {text}"),
        Err(error) => {
            panic!("no fault server at {url} (cargo run -p steadfetch-fault-server -- --port 4700): {error:?}")
        }
    }
}

impl Default for Server {
    fn default() -> Self {
        let control = option_env!("STEADFETCH_FAULT_SERVER").unwrap_or(DEFAULT);
        Self { control: control.trim_end_matches('/').to_owned() }
    }
}

impl Server {
    /// Opens an origin. For the options see the server's README.
    pub async fn open(&self, options: &Value) -> Origin {
        let opened = ask("POST", &format!("{}/control/origins", self.control), Some(options)).await;
        let origin = opened["origin"].as_str().expect("an origin").to_owned();
        Origin { control: format!("{}/control/origins/{}", self.control, opened["id"]), origin }
    }

    /// Opens an origin with one route for every path.
    pub async fn open_with(&self, steps: Value) -> Origin {
        let steps = if steps.is_array() { steps } else { json!([steps]) };
        self.open(&json!({ "script": { "routes": [{ "path": "/*", "steps": steps }] } })).await
    }
}

impl Origin {
    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        [self.origin.as_str(), path].concat()
    }

    /// Replaces the script.
    pub async fn script(&self, script: &Value) {
        ask("PUT", &[&self.control, "/script"].concat(), Some(script)).await;
    }

    /// What was seen so far.
    pub async fn report(&self) -> Value {
        ask("GET", &[&self.control, "/report"].concat(), None).await
    }

    /// The report as soon as all counts are reached.
    pub async fn wait(&self, counts: &[(&str, u64)]) -> Value {
        let query: Vec<String> = counts.iter().map(|(name, count)| format!("{name}={count}")).collect();
        let report = ask("GET", &format!("{}/wait?{}", self.control, query.join("&")), None).await;
        assert_ne!(report["timedOut"], true, "waited for {counts:?}, saw {report}");
        report
    }

    /// Opens a gate that steps wait for.
    pub async fn release(&self, gate: &str) {
        ask("POST", &[&self.control, "/release"].concat(), Some(&json!({ "gate": gate }))).await;
    }

    /// Closes the listener and every connection.
    pub async fn close(self) {
        ask("DELETE", &self.control, None).await;
    }
}
