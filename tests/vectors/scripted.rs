//! What a scripted network does, the same on every target. The module that includes this has an `api`, the crate under test.

use std::time::Duration;

use super::api::testing::{Reply, Script};
use super::api::{Client, ErrorKind, Outcome, Phase, Retry};

const BASE: &str = "https://api.example.test/";

fn client(script: &Script) -> Client {
    script.client().base_url(BASE).retry(Retry::new().delay(Duration::ZERO)).build().expect("right options")
}

pub(crate) async fn replies_come_in_order_and_the_rest_is_answered_otherwise() {
    let script = Script::new();
    script.reply(Reply::lost()).reply(Reply::new(201).header("x-a", "b").body("made"));
    script.otherwise(|request| Reply::new(404).body(request.url()));
    let api = client(&script);
    let response = api.put("a").header("X-App", "shop").body("text").send().await.expect("a response");
    assert_eq!((response.status(), response.attempts()), (201, 2));
    assert_eq!(response.header("X-A").as_deref(), Some("b"));
    assert_eq!(response.text().await.as_deref(), Ok("made"));
    let error = api.get("b").send().await.expect_err("a status");
    assert_eq!(error.data(), Some("https://api.example.test/b"));

    let seen = script.requests();
    let [first, second, third] = seen.as_slice() else { panic!("{seen:?}") };
    assert_eq!((first.method(), first.url(), first.body()), ("PUT", "https://api.example.test/a", Some(&b"text"[..])));
    assert_eq!((first.header("x-app"), second.body()), (Some("shop"), first.body()));
    assert_eq!((third.method(), third.body()), ("GET", None));
}

pub(crate) async fn limits_hold() {
    let script = Script::new();
    script.reply(Reply::never()).reply(Reply::new(200).after(Duration::from_secs(60))).reply(Reply::new(204));
    let api = client(&script).extend().timeout(Duration::from_millis(30)).build().expect("right options");
    for _ in 0..2 {
        let error = api.get("a").send().await.expect_err("a limit");
        assert_eq!((error.kind(), error.phase()), (ErrorKind::Timeout, Some(Phase::Headers)));
    }
    assert_eq!(api.get("a").send().await.expect("a response").status(), 204);
}

pub(crate) async fn a_body_may_break_and_a_reply_may_be_missing() {
    let script = Script::new();
    script.reply(Reply::new(200).body("half").cut()).reply(Reply::new(200).cut());
    let api = client(&script);
    for bytes in [4, 0] {
        let error = async { api.get("a").send().await?.text().await }.await.expect_err("a broken body");
        assert_eq!((error.kind(), error.phase(), error.status()), (ErrorKind::Network, Some(Phase::Body), Some(200)));
        assert_eq!(error.bytes_received(), bytes);
    }
    let error = api.get("a").send().await.expect_err("no reply");
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Unsupported, Outcome::NotSent));
    assert!(error.to_string().contains("the script has no reply left"), "{error}");
}
