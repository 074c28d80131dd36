//! An origin: a listener of its own, its script, and what it has seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::entry::Entry;
use crate::headers::HeaderList;
use crate::listener::{self, Port};
use crate::orders::Orders;
use crate::report::{Counts, Kind, Report};
use crate::request::Request;
use crate::script::Script;
use crate::static_files::StaticFiles;
use crate::step::Step;
use crate::tls::Acceptor;

/// How an origin is opened.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct OriginOptions {
    pub(crate) tls: bool,
    pub(crate) http2: bool,
    /// Whether the static files are served here too.
    #[serde(rename = "static")]
    pub(crate) statics: bool,
    /// Further headers of static files, a Content-Security-Policy for example.
    pub(crate) static_headers: HeaderList,
    pub(crate) script: Script,
    /// The port is taken, but nobody listens: the kernel refuses connections.
    pub(crate) refuse: bool,
    /// As `refuse`, for that many milliseconds.
    pub(crate) refuse_for: Option<u64>,
    /// The first connections are accepted and reset before anything is read.
    pub(crate) reset_connections: u64,
}

impl Default for OriginOptions {
    fn default() -> Self {
        Self {
            tls: false,
            http2: false,
            statics: true,
            static_headers: HeaderList::default(),
            script: Script::default(),
            refuse: false,
            refuse_for: None,
            reset_connections: 0,
        }
    }
}

/// What all connections of an origin share.
pub(crate) struct Origin {
    pub(crate) id: u64,
    pub(crate) port: u16,
    pub(crate) tls: bool,
    pub(crate) http2: bool,
    pub(crate) statics: StaticFiles,
    pub(crate) orders: Orders,
    serve_statics: bool,
    static_headers: HeaderList,
    opened: Instant,
    shared: Mutex<Shared>,
    /// Told at every change of `shared`.
    changed: watch::Sender<()>,
    /// What was asked for, and what the listener has made of it.
    listening_wanted: watch::Sender<bool>,
    listening: watch::Sender<bool>,
}

#[derive(Default)]
struct Shared {
    script: Script,
    /// Requests so far by route and key.
    taken: BTreeMap<(usize, Option<String>), usize>,
    open_gates: BTreeSet<String>,
    report: Report,
}

/// Numbers a test waits for; absent ones are not waited for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Awaited {
    pub(crate) path: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) requests: Option<u64>,
    pub(crate) completed: Option<u64>,
    pub(crate) closes: Option<u64>,
    pub(crate) commits: Option<u64>,
    /// At most that many.
    pub(crate) open: Option<u64>,
    pub(crate) preflights: Option<u64>,
    pub(crate) connections: Option<u64>,
    /// At most that many.
    pub(crate) connections_open: Option<u64>,
    pub(crate) connections_reset: Option<u64>,
}

impl Origin {
    /// Binds a port and starts to serve it. The task ends, with everything it serves, when it is aborted.
    pub(crate) fn open(
        id: u64,
        options: OriginOptions,
        statics: StaticFiles,
    ) -> Result<(Arc<Self>, JoinHandle<()>), String> {
        if options.http2 && !options.tls {
            return Err("http2 needs tls: browsers speak it over TLS only".to_owned());
        }
        options.script.validate(options.http2)?;
        let acceptor = options
            .tls
            .then(|| Acceptor::new(options.http2))
            .transpose()
            .map_err(|error| format!("certificate: {error}"))?;
        let refuses = options.refuse || options.refuse_for.is_some();
        // Listening before the answer goes out: the first connection must not race with the serving task.
        let port = Port::bind(0)
            .and_then(|port| if refuses { Ok(port) } else { port.listen() })
            .map_err(|error| error.to_string())?;
        let origin = Arc::new(Self {
            id,
            port: port.number().map_err(|error| error.to_string())?,
            tls: options.tls,
            http2: options.http2,
            statics,
            orders: Orders::default(),
            serve_statics: options.statics,
            static_headers: options.static_headers,
            opened: Instant::now(),
            shared: Mutex::new(Shared { script: options.script, ..Shared::default() }),
            changed: watch::Sender::new(()),
            listening_wanted: watch::Sender::new(!refuses),
            listening: watch::Sender::new(!refuses),
        });
        if let Some(after) = options.refuse_for {
            let later = Arc::downgrade(&origin);
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(after)).await;
                if let Some(origin) = later.upgrade() {
                    origin.set_listening(true).await;
                }
            });
        }
        let serving = listener::serve(origin.clone(), port, acceptor, options.reset_connections);
        Ok((origin, tokio::spawn(serving)))
    }

    pub(crate) fn url(&self) -> String {
        let scheme = if self.tls { "https" } else { "http" };
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// Replaces the script; counting of steps begins anew and gates are shut. The report goes on.
    pub(crate) fn set_script(&self, script: Script) {
        let mut shared = self.lock();
        shared.script = script;
        shared.taken.clear();
        shared.open_gates.clear();
        self.orders.reset();
    }

    /// Opens a gate for good.
    pub(crate) fn release(&self, gate: &str) {
        self.lock().open_gates.insert(gate.to_owned());
        self.changed.send_replace(());
    }

    /// Waits for a gate.
    pub(crate) async fn gate(&self, gate: &str) {
        self.until(|shared| shared.open_gates.contains(gate)).await;
    }

    /// Accepts connections from now on, or drops those that exist and refuses new ones. Returns when it is so.
    pub(crate) async fn set_listening(&self, listening: bool) {
        let mut now = self.listening.subscribe();
        self.listening_wanted.send_replace(listening);
        // The sender lives as long as `self`.
        let _ = now.wait_for(|now| *now == listening).await;
    }

    /// For the listener: what is asked for, and the way to say that it is so.
    pub(crate) fn listening_wanted(&self) -> watch::Receiver<bool> {
        self.listening_wanted.subscribe()
    }

    pub(crate) fn listening_is(&self, listening: bool) {
        self.listening.send_replace(listening);
    }

    pub(crate) fn snapshot(&self) -> Value {
        let mut value = self.lock().report.snapshot(self.now());
        value["id"] = Value::from(self.id);
        value["origin"] = Value::from(self.url());
        value
    }

    /// Waits until all numbers are reached; `false` if they are not in time.
    pub(crate) async fn wait(&self, awaited: &Awaited, timeout: Duration) -> bool {
        let reached = self.until(|shared| awaited.reached(&shared.report));
        tokio::time::timeout(timeout, reached).await.is_ok()
    }

    /// Decides what a request gets, and enters it.
    pub(crate) fn begin(self: &Arc<Self>, request: &Request) -> (Step, Entry) {
        let mut shared = self.lock();
        let route = shared.script.find(request);
        let (step, kind) = match route {
            Some(route) if request.is_preflight() => {
                let taken = shared.taken.get(&(route, request.parameter("key"))).copied();
                let steps = &shared.script.routes[route].steps;
                let step = steps[taken.unwrap_or(0).min(steps.len() - 1)].clone();
                (step, Kind::Preflight)
            }
            Some(route) => {
                let key = request.key();
                let taken = shared.taken.entry((route, key.clone())).or_default();
                let number = *taken;
                *taken += 1;
                let Script { routes } = &shared.script;
                let number = number.min(routes[route].steps.len() - 1);
                let path = routes[route].path.clone();
                let step = routes[route].steps[number].clone();
                (step, Kind::Routed { route, path, key, step: number })
            }
            None if request.is_preflight() => (Step::default(), Kind::Preflight),
            None if self.serve_statics && self.statics.contains(request.path()) => {
                let step = Step { headers: self.static_headers.clone(), ..Step::static_file() };
                (step, Kind::Other)
            }
            None => {
                let unknown = serde_json::json!({ "error": "no route", "url": request.target });
                (Step::json(404, unknown), Kind::Other)
            }
        };
        let number = shared.report.begin(request, &kind, self.now());
        drop(shared);
        self.changed.send_replace(());
        (step, Entry::new(self.clone(), kind, number))
    }

    fn now(&self) -> u64 {
        self.opened.elapsed().as_millis() as u64
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the report and tells those who wait for it.
    pub(crate) fn record(&self, change: impl FnOnce(&mut Report, u64)) {
        change(&mut self.lock().report, self.now());
        self.changed.send_replace(());
    }

    async fn until(&self, reached: impl Fn(&Shared) -> bool) {
        let mut changes = self.changed.subscribe();
        while !reached(&self.lock()) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }
}

impl Awaited {
    fn reached(&self, report: &Report) -> bool {
        let counts: Counts = report.counts(self.path.as_deref(), self.key.as_deref());
        let least = [
            (self.requests, counts.requests),
            (self.completed, counts.completed),
            (self.closes, counts.closes),
            (self.commits, counts.commits),
            (self.preflights, report.preflight_count()),
            (self.connections, report.connections),
            (self.connections_reset, report.connections_reset),
        ];
        let most = [(self.open, counts.open), (self.connections_open, report.connections_open)];
        least.iter().all(|(wanted, is)| wanted.is_none_or(|wanted| *is >= wanted))
            && most.iter().all(|(wanted, is)| wanted.is_none_or(|wanted| *is <= wanted))
    }
}
