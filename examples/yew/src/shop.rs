//! The calls of the app: a list that loads with retries, and an order that is never sent twice.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use steadfetch::{Client, Error, Outcome, Retry, RetryStopped};

#[derive(Deserialize)]
pub struct Product {
    pub name: String,
}

#[derive(Serialize)]
struct Order {
    product: &'static str,
}

#[derive(Deserialize)]
struct Receipt {
    number: u32,
}

pub fn client() -> Client {
    Client::builder()
        .base_url("/api/")
        .timeout(Duration::from_secs(3))
        .retry(Retry::new().limit(2).delay(Duration::from_millis(300)).status_codes([502, 503, 504]))
        .build()
        .expect("every option is in its range")
}

/// A GET may be sent again: the client's `retry` decides when.
pub async fn load(api: Client, list: &str) -> Result<Vec<Product>, Error> {
    api.get(format!("lists/{list}")).send().await?.json().await
}

/// A POST is sent once, whatever the client's `retry` says: only `outcome` tells what may have become of it.
pub async fn order(api: Client) -> String {
    let order = Order { product: "Assam" };
    let sent = async { api.post("orders").json(&order).send().await?.json().await };
    match sent.await {
        Ok(Receipt { number }) => format!("Order {number} is placed."),
        Err(error) if error.outcome() == Outcome::Unknown => {
            format!("Look at your orders before you try again. {}", explain(&error))
        }
        Err(error) => explain(&error),
    }
}

pub fn explain(error: &Error) -> String {
    let (code, outcome, attempts) = (error.code(), error.outcome().name(), error.attempts().len());
    let stopped = error.retry_stopped().map_or("none due", RetryStopped::name);
    format!("{code}: outcome {outcome}, attempts {attempts}, no further retry: {stopped}")
}
