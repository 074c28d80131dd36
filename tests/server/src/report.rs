//! What an origin has seen, as it is told to tests.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::answer::headers_object;
use crate::request::Request;

/// Entries kept per list; counts go on beyond it.
const KEPT: usize = 20_000;
/// Bytes of a request body that are kept, and shown if they are text.
pub(crate) const KEPT_BODY: usize = 64 * 1024;

/// Everything that is counted and listed for one origin.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) connections: u64,
    pub(crate) connections_open: u64,
    pub(crate) connections_reset: u64,
    total: Counts,
    routes: BTreeMap<(usize, Option<String>), RouteCounts>,
    requests: VecDeque<Record>,
    preflights: VecDeque<Record>,
    preflight_count: u64,
    others: VecDeque<Record>,
    next_number: u64,
}

/// Numbers of all requests, or of those of one route and key.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counts {
    /// Whose head arrived; preflights, static files and unknown paths apart.
    pub(crate) requests: u64,
    /// Answered to the last byte.
    pub(crate) completed: u64,
    /// Given up by the client before that.
    pub(crate) closes: u64,
    /// Marked as performed by the script.
    pub(crate) commits: u64,
    pub(crate) open: u64,
    pub(crate) max_open: u64,
}

#[derive(Clone, Debug, Serialize)]
struct RouteCounts {
    path: String,
    key: Option<String>,
    #[serde(flatten)]
    counts: Counts,
}

/// One request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Record {
    /// Number within the origin, in order of arrival over all lists, from 0.
    number: u64,
    /// Path of the route, none for what no route fits.
    route: Option<String>,
    key: Option<String>,
    /// Which step it got.
    step: Option<usize>,
    method: String,
    url: String,
    headers: Map<String, Value>,
    body_bytes: u64,
    /// The body, if it is text and at most 64 KiB long.
    body: Option<String>,
    connection: u64,
    reused: bool,
    state: State,
    committed: bool,
    /// Bytes of the answer's body that were handed to the socket, after compression.
    bytes_sent: u64,
    at_ms: u64,
    answered_ms: Option<u64>,
    ended_ms: Option<u64>,
}

/// Where a request stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    Open,
    /// Answered to the last byte.
    Completed,
    /// The client closed or reset first.
    Closed,
    /// The script cut or reset it.
    Faulted,
    /// The origin was closed under it.
    Dropped,
}

/// In which list a request is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Routed {
        route: usize,
        path: String,
        key: Option<String>,
        step: usize,
    },
    Preflight,
    /// A static file, or a path that nothing fits.
    Other,
}

impl Report {
    /// Enters a request and returns its number.
    pub(crate) fn begin(&mut self, request: &Request, kind: &Kind, now: u64) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        let (route, key, step) = match kind {
            Kind::Routed { path, key, step, .. } => (Some(path.clone()), key.clone(), Some(*step)),
            Kind::Preflight | Kind::Other => (None, None, None),
        };
        self.each_count(kind, |counts| {
            counts.requests += 1;
            counts.open += 1;
            counts.max_open = counts.max_open.max(counts.open);
        });
        if *kind == Kind::Preflight {
            self.preflight_count += 1;
        }
        let list = self.list(kind);
        list.push_back(Record {
            number,
            route,
            key,
            step,
            method: request.method.clone(),
            url: request.target.clone(),
            headers: headers_object(&request.headers),
            body_bytes: 0,
            body: None,
            connection: request.connection.id,
            reused: request.connection.reused,
            state: State::Open,
            committed: false,
            bytes_sent: 0,
            at_ms: now,
            answered_ms: None,
            ended_ms: None,
        });
        if list.len() > KEPT {
            list.pop_front();
        }
        number
    }

    pub(crate) fn received(&mut self, kind: &Kind, number: u64, bytes: u64, kept: &[u8]) {
        let whole = kept.len() as u64 == bytes;
        let text = std::str::from_utf8(kept).ok().filter(|_| whole);
        self.change(kind, number, |record| {
            record.body_bytes = bytes;
            record.body = text.map(str::to_owned);
        });
    }

    pub(crate) fn committed(&mut self, kind: &Kind, number: u64) {
        self.each_count(kind, |counts| counts.commits += 1);
        self.change(kind, number, |record| record.committed = true);
    }

    pub(crate) fn answered(&mut self, kind: &Kind, number: u64, now: u64) {
        self.change(kind, number, |record| record.answered_ms = Some(now));
    }

    pub(crate) fn ended(&mut self, kind: &Kind, number: u64, state: State, bytes_sent: u64, now: u64) {
        self.each_count(kind, |counts| {
            counts.open -= 1;
            match state {
                State::Completed => counts.completed += 1,
                State::Closed => counts.closes += 1,
                State::Open | State::Faulted | State::Dropped => {}
            }
        });
        self.change(kind, number, |record| {
            record.state = state;
            record.bytes_sent = bytes_sent;
            record.ended_ms = Some(now);
        });
    }

    /// The numbers of one route and key, of one route, or of all.
    pub(crate) fn counts(&self, path: Option<&str>, key: Option<&str>) -> Counts {
        if path.is_none() && key.is_none() {
            return self.total.clone();
        }
        let fitting = self.routes.values().filter(|route| {
            path.is_none_or(|path| route.path == path) && key.is_none_or(|key| route.key.as_deref() == Some(key))
        });
        fitting.fold(Counts::default(), |sum, RouteCounts { counts, .. }| Counts {
            requests: sum.requests + counts.requests,
            completed: sum.completed + counts.completed,
            closes: sum.closes + counts.closes,
            commits: sum.commits + counts.commits,
            open: sum.open + counts.open,
            max_open: sum.max_open.max(counts.max_open),
        })
    }

    pub(crate) fn preflight_count(&self) -> u64 {
        self.preflight_count
    }

    /// Everything, as JSON.
    pub(crate) fn snapshot(&self, now: u64) -> Value {
        let routes: Vec<_> = self.routes.values().collect();
        let mut value = serde_json::json!({
            "nowMs": now,
            "preflights": self.preflight_count,
            "connections": self.connections,
            "connectionsOpen": self.connections_open,
            "connectionsReset": self.connections_reset,
            "routes": routes,
            "log": self.requests,
            "preflightLog": self.preflights,
            "otherLog": self.others,
        });
        if let (Value::Object(all), Ok(Value::Object(counts))) = (&mut value, serde_json::to_value(&self.total)) {
            all.extend(counts);
        }
        value
    }

    fn list(&mut self, kind: &Kind) -> &mut VecDeque<Record> {
        match kind {
            Kind::Routed { .. } => &mut self.requests,
            Kind::Preflight => &mut self.preflights,
            Kind::Other => &mut self.others,
        }
    }

    /// Numbers ascend within a list; an entry that is kept no longer is left alone.
    fn change(&mut self, kind: &Kind, number: u64, change: impl FnOnce(&mut Record)) {
        let list = self.list(kind);
        if let Ok(place) = list.binary_search_by_key(&number, |record| record.number) {
            change(&mut list[place]);
        }
    }

    fn each_count(&mut self, kind: &Kind, change: impl Fn(&mut Counts)) {
        if let Kind::Routed { route, path, key, .. } = kind {
            change(&mut self.total);
            let entry = self.routes.entry((*route, key.clone())).or_insert_with(|| RouteCounts {
                path: path.clone(),
                key: key.clone(),
                counts: Counts::default(),
            });
            change(&mut entry.counts);
        }
    }
}
