//! The control API: opens origins, gives them scripts, tells what they saw.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::answer::Answer;
use crate::cors::{Cors, Preflight};
use crate::exchange;
use crate::origin::{Awaited, Origin, OriginOptions};
use crate::request::Request;
use crate::script::Script;
use crate::static_files::StaticFiles;
use crate::step::{ReadBody, Step};
use crate::transport::{ClientGone, Ending, Http2Fault, Transport};

/// A control request longer than this is refused.
const LONGEST_BODY: usize = 32 * 1024 * 1024;
/// How long `wait` waits if it is not told.
const DEFAULT_WAIT: u64 = 5_000;

/// The origins of this server.
pub(crate) struct Control {
    statics: StaticFiles,
    origins: Mutex<Origins>,
}

#[derive(Default)]
struct Origins {
    last_id: u64,
    open: BTreeMap<u64, (Arc<Origin>, JoinHandle<()>)>,
}

/// A refusal of a control request.
struct Refusal(u16, String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Release {
    gate: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listening {
    listening: bool,
}

impl Control {
    pub(crate) fn new(statics: StaticFiles) -> Self {
        Self { statics, origins: Mutex::default() }
    }

    /// Serves one request of the control origin.
    pub(crate) async fn serve(&self, transport: &mut impl Transport, request: &Request) {
        // A client that left is the only way to fail, and nobody is left to be told.
        let _: Result<Ending, ClientGone> = if request.is_preflight() {
            let (preflight, cors) = (Preflight::default(), Cors::default());
            exchange::preflight(&preflight, &cors, transport, request).await
        } else {
            self.answer(transport, request).await
        };
    }

    async fn answer(&self, transport: &mut impl Transport, request: &Request) -> Result<Ending, ClientGone> {
        let mut body = Vec::new();
        let reading = transport.read_body(ReadBody::All, |part| {
            if body.len() <= LONGEST_BODY {
                body.extend_from_slice(part);
            }
        });
        reading.await?;
        let step = if request.path().starts_with("/control") {
            match transport.while_open(self.route(request, &body)).await? {
                Ok(value) => Step::json(200, value),
                Err(Refusal(status, error)) => Step::json(status, json!({ "error": error })),
            }
        } else {
            Step::static_file()
        };
        let Answer { head, body: mut source, .. } = Answer::new(&step, request, &[], 0, &self.statics);
        transport.send_head(head).await?;
        if request.method != "HEAD" {
            while let Some(mut piece) = source.next_piece() {
                while let Some(block) = piece.data.next_block() {
                    transport.send_data(block).await?;
                }
            }
        }
        transport.end(Ending::Complete, Http2Fault::default()).await?;
        Ok(Ending::Complete)
    }

    async fn route(&self, request: &Request, body: &[u8]) -> Result<Value, Refusal> {
        let path: Vec<&str> = request.path().trim_matches('/').split('/').collect();
        match (request.method.as_str(), path.as_slice()) {
            ("GET", ["control"]) => Ok(json!({
                "name": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
                "pid": std::process::id(),
                "origins": self.lock().open.values().map(describe).collect::<Vec<_>>(),
            })),
            ("POST", ["control", "origins"]) => self.open(parse(body)?),
            ("DELETE", ["control", "origins", id]) => self.close(id).await,
            ("PUT", ["control", "origins", id, "script"]) => {
                let origin = self.origin(id)?;
                let script: Script = parse(body)?;
                script.validate(origin.http2).map_err(|error| Refusal(400, error))?;
                origin.set_script(script);
                Ok(json!({}))
            }
            ("POST", ["control", "origins", id, "release"]) => {
                let Release { gate } = parse(body)?;
                self.origin(id)?.release(&gate);
                Ok(json!({}))
            }
            ("POST", ["control", "origins", id, "listening"]) => {
                let Listening { listening } = parse(body)?;
                self.origin(id)?.set_listening(listening).await;
                Ok(json!({ "listening": listening }))
            }
            ("GET", ["control", "origins", id, "report"]) => Ok(self.origin(id)?.snapshot()),
            ("GET", ["control", "origins", id, "wait"]) => {
                let origin = self.origin(id)?;
                let (awaited, timeout) = awaited(request)?;
                let reached = origin.wait(&awaited, timeout).await;
                let mut report = origin.snapshot();
                report["timedOut"] = json!(!reached);
                Ok(report)
            }
            _ => Err(Refusal(404, format!("no {} {}", request.method, request.path()))),
        }
    }

    fn open(&self, options: OriginOptions) -> Result<Value, Refusal> {
        let mut origins = self.lock();
        origins.last_id += 1;
        let id = origins.last_id;
        let opened = Origin::open(id, options, self.statics.clone()).map_err(|error| Refusal(400, error))?;
        let description = describe(&opened);
        origins.open.insert(id, opened);
        Ok(description)
    }

    async fn close(&self, id: &str) -> Result<Value, Refusal> {
        let id = id.parse().map_err(|_| unknown(id))?;
        let (_, serving) = self.lock().open.remove(&id).ok_or_else(|| Refusal(404, format!("no origin {id}")))?;
        serving.abort();
        // Over when the listener is closed; the error is the abort.
        let _ = serving.await;
        Ok(json!({}))
    }

    fn origin(&self, id: &str) -> Result<Arc<Origin>, Refusal> {
        let number: u64 = id.parse().map_err(|_| unknown(id))?;
        let origins = self.lock();
        let (origin, _) = origins.open.get(&number).ok_or_else(|| unknown(id))?;
        Ok(origin.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Origins> {
        self.origins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn describe((origin, _): &(Arc<Origin>, JoinHandle<()>)) -> Value {
    json!({ "id": origin.id, "origin": origin.url(), "port": origin.port })
}

fn unknown(id: &str) -> Refusal {
    Refusal(404, format!("no origin {id}"))
}

/// An empty body stands for an empty object.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    if body.len() > LONGEST_BODY {
        return Err(Refusal(413, "body too long".to_owned()));
    }
    let body = if body.is_empty() { b"{}" } else { body };
    serde_json::from_slice(body).map_err(|error| Refusal(400, error.to_string()))
}

fn awaited(request: &Request) -> Result<(Awaited, Duration), Refusal> {
    let mut awaited = Awaited::default();
    let mut timeout = DEFAULT_WAIT;
    for pair in request.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
        let (name, _) = pair.split_once('=').unwrap_or((pair, ""));
        let text = request.parameter(name).unwrap_or_default();
        let number = || text.parse::<u64>().map_err(|_| Refusal(400, format!("{name} is a number, not {text:?}")));
        match name {
            "path" => awaited.path = Some(text),
            "key" => awaited.key = Some(text),
            "requests" => awaited.requests = Some(number()?),
            "completed" => awaited.completed = Some(number()?),
            "closes" => awaited.closes = Some(number()?),
            "commits" => awaited.commits = Some(number()?),
            "open" => awaited.open = Some(number()?),
            "preflights" => awaited.preflights = Some(number()?),
            "connections" => awaited.connections = Some(number()?),
            "connectionsOpen" => awaited.connections_open = Some(number()?),
            "connectionsReset" => awaited.connections_reset = Some(number()?),
            "timeout" => timeout = number()?,
            _ => return Err(Refusal(400, format!("wait does not know {name:?}"))),
        }
    }
    Ok((awaited, Duration::from_millis(timeout)))
}
