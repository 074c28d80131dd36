//! An order service on a real database: it commits an order, then loses the answer, at random.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::request::{Request, percent_decode};
use crate::step::{Before, Step};

/// How often what goes wrong, as shares of all writes.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Faults {
    seed: u64,
    /// The order is committed, and the answer is lost: reset, closed, silent, or committed after the client has given up.
    lost: f64,
    /// The connection is reset, and nothing is committed.
    reset: f64,
    /// 503, and nothing is committed.
    busy: f64,
    /// 502 from a gateway, after the commit.
    gateway: f64,
    /// How many requests a token is good for; 0: no token is needed.
    token_requests: u64,
    /// After so many requests for one order nothing goes wrong with it any more.
    limit: u64,
}

impl Default for Faults {
    fn default() -> Self {
        Self { seed: 1, lost: 0.0, reset: 0.0, busy: 0.0, gateway: 0.0, token_requests: 0, limit: 6 }
    }
}

/// How long an order that is committed late takes.
const LATE: Duration = Duration::from_millis(1_500);

/// The service of one origin.
#[derive(Clone, Default)]
pub(crate) struct Orders(Arc<Mutex<Option<Shop>>>);

struct Shop {
    database: Connection,
    /// The keys of orders that are on their way into the database.
    running: BTreeSet<String>,
    /// Requests for each order.
    requests: BTreeMap<String, u64>,
    token: u64,
    token_used: u64,
}

impl Shop {
    fn open() -> rusqlite::Result<Self> {
        // A private file, which SQLite removes when it is closed.
        let database = Connection::open("")?;
        database.execute_batch(
            "PRAGMA synchronous = OFF;
             CREATE TABLE orders (id INTEGER PRIMARY KEY, reference TEXT NOT NULL, key TEXT UNIQUE);",
        )?;
        Ok(Self { database, running: BTreeSet::new(), requests: BTreeMap::new(), token: 0, token_used: 0 })
    }

    fn commit(&self, reference: &str, key: Option<&str>) -> rusqlite::Result<i64> {
        self.database.execute("INSERT INTO orders (reference, key) VALUES (?1, ?2)", params![reference, key])?;
        Ok(self.database.last_insert_rowid())
    }

    fn find(&self, key: &str) -> rusqlite::Result<Option<(i64, String)>> {
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.database.query_row("SELECT id, reference FROM orders WHERE key = ?1", [key], row).optional()
    }

    fn report(&self) -> rusqlite::Result<Value> {
        let mut select = self.database.prepare("SELECT reference, COUNT(*) FROM orders GROUP BY reference")?;
        let counts = select.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.into())))?;
        let orders: Map<String, Value> = counts.collect::<rusqlite::Result<_>>()?;
        Ok(json!({ "orders": orders, "requests": self.requests, "running": self.running.len() }))
    }

    /// Whether the request has the token of the hour. Each is good for so many requests.
    fn admits(&mut self, faults: Faults, request: &Request) -> bool {
        if faults.token_requests == 0 {
            return true;
        }
        self.token_used += 1;
        if self.token_used > faults.token_requests {
            self.token += 1;
            self.token_used = 0;
        }
        request.header("authorization") == Some(&format!("Bearer {}", self.token))
    }
}

impl Orders {
    /// What to do about a request.
    pub(crate) fn step(&self, faults: Faults, request: &Request) -> Step {
        self.answer(faults, request).unwrap_or_else(|error| Step::json(500, json!({ "error": error.to_string() })))
    }

    /// The next request meets an empty shop.
    pub(crate) fn reset(&self) {
        *self.lock() = None;
    }

    fn answer(&self, faults: Faults, request: &Request) -> rusqlite::Result<Step> {
        let mut place = self.lock();
        let shop = match &mut *place {
            Some(shop) => shop,
            empty => empty.insert(Shop::open()?),
        };
        let name = request.path().rsplit('/').next().unwrap_or_default();
        match (request.method.as_str(), name) {
            ("GET", "report") => Ok(Step::json(200, shop.report()?)),
            ("POST", "token") => Ok(Step::json(200, json!({ "token": shop.token.to_string() }))),
            _ if !shop.admits(faults, request) => Ok(Step::json(401, json!({ "error": "the token has expired" }))),
            ("GET", key) => {
                let key = percent_decode(key);
                Ok(match shop.find(&key)? {
                    Some((id, reference)) => Step::json(200, json!({ "id": id, "reference": reference })),
                    None if shop.running.contains(&key) => Step::json(202, json!({})),
                    None => Step::json(404, json!({})),
                })
            }
            _ => self.order(shop, faults, request),
        }
    }

    fn order(&self, shop: &mut Shop, faults: Faults, request: &Request) -> rusqlite::Result<Step> {
        let reference = request.parameter("reference").unwrap_or_default();
        let key = request.header("idempotency-key").map(str::to_owned);
        let number = *shop.requests.entry(reference.clone()).and_modify(|requests| *requests += 1).or_insert(1);
        let known = key.as_deref().map(|key| shop.find(key)).transpose()?.flatten();
        if known.is_none() && key.as_ref().is_some_and(|key| shop.running.contains(key)) {
            return Ok(Step::json(409, json!({ "error": "an earlier request with this key is being processed" })));
        }
        let share = |salt: u8| share_of(&(faults.seed, &reference, number, salt));
        let fails = if number > faults.limit { 2.0 } else { share(0) };
        if fails < faults.reset {
            return Ok(fault(Before::Reset));
        }
        if fails < faults.reset + faults.busy {
            return Ok(Step::json(503, json!({ "error": "busy" })));
        }
        let lost = fails < faults.reset + faults.busy + faults.lost;
        let manner = (share(1) * 4.0) as u8;
        if known.is_none() && lost && manner == 3 {
            self.commit_late(shop, reference, key);
            return Ok(fault(Before::Hang));
        }
        let (status, id) = match known {
            Some((id, _)) => (200, id),
            None => (201, shop.commit(&reference, key.as_deref())?),
        };
        if lost {
            return Ok(fault([Before::Reset, Before::Fin, Before::Hang][usize::from(manner.min(2))]));
        }
        if fails < faults.reset + faults.busy + faults.lost + faults.gateway {
            return Ok(Step::json(502, json!({ "error": "the server was lost" })));
        }
        Ok(Step::json(status, json!({ "id": id, "reference": reference })))
    }

    /// The order is in the database only when its client has given up.
    fn commit_late(&self, shop: &mut Shop, reference: String, key: Option<String>) {
        // One without a key has a name of its own here.
        let name = key.clone().unwrap_or_else(|| format!("reference {reference}"));
        shop.running.insert(name.clone());
        let orders = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(LATE).await;
            if let Some(shop) = &mut *orders.lock() {
                shop.running.remove(&name);
                // It can fail only if the shop has been reset meanwhile.
                let _ = shop.commit(&reference, key.as_deref());
            }
        });
    }

    fn lock(&self) -> MutexGuard<'_, Option<Shop>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn fault(before: Before) -> Step {
    Step { before: Some(before), ..Step::default() }
}

/// A share from 0 to 1 that looks random, and is the same for the same request of every run.
fn share_of(of: &impl std::hash::Hash) -> f64 {
    let mut hasher = std::hash::DefaultHasher::new();
    of.hash(&mut hasher);
    (hasher.finish() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::ConnectionUse;

    fn post(reference: u32, key: Option<&str>) -> Request {
        Request {
            method: "POST".to_owned(),
            target: format!("/orders?reference={reference}"),
            headers: key.map(|key| ("idempotency-key".to_owned(), key.to_owned())).into_iter().collect(),
            connection: ConnectionUse { id: 1, reused: false },
        }
    }

    fn report(orders: &Orders) -> Value {
        orders.lock().as_ref().unwrap().report().unwrap()
    }

    #[test]
    fn a_key_makes_one_order_and_no_key_makes_one_each_time() {
        let orders = Orders::default();
        for (number, status) in [(1, 201), (2, 200), (3, 200)] {
            let step = orders.step(Faults::default(), &post(1, Some("k")));
            assert_eq!(step.status, Some(status), "{number}");
            orders.step(Faults::default(), &post(2, None));
        }
        assert_eq!(report(&orders)["orders"], json!({ "1": 1, "2": 3 }));
        assert_eq!(report(&orders)["requests"], json!({ "1": 3, "2": 3 }));
    }

    #[tokio::test(start_paused = true)]
    async fn the_faults_are_those_that_were_asked_for_and_the_same_in_every_run() {
        let run = || {
            let orders = Orders::default();
            let faults = Faults { seed: 7, lost: 0.3, reset: 0.1, ..Faults::default() };
            let befores: Vec<_> = (0..1_000).map(|n| orders.step(faults, &post(n, None)).before).collect();
            (orders, befores)
        };
        let (orders, befores) = run();
        assert_eq!(befores, run().1);
        let lost = befores.iter().flatten().count();
        assert!((350..450).contains(&lost), "{lost}");
        let committed = |orders: &Orders| report(orders)["orders"].as_object().unwrap().len();
        let early = committed(&orders);
        tokio::time::sleep(LATE * 2).await;
        assert_eq!(report(&orders)["running"], 0);
        let late = committed(&orders);
        assert!(late > early && (870..930).contains(&late), "{early}, {late}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_key_that_is_being_processed_conflicts() {
        let orders = Orders::default();
        let faults = Faults { lost: 1.0, ..Faults::default() };
        let late = (0..50).find(|n| {
            orders.step(faults, &post(*n, Some(&format!("k{n}"))));
            report(&orders)["running"] == 1
        });
        let late = late.unwrap();
        assert_eq!(orders.step(faults, &post(late, Some(&format!("k{late}")))).status, Some(409));
        tokio::time::sleep(LATE * 2).await;
        assert_eq!(orders.step(Faults::default(), &post(late, Some(&format!("k{late}")))).status, Some(200));
    }
}
