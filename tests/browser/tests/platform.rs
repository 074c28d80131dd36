//! What the platform does with our requests, and what we make of its answers.
#![cfg(target_family = "wasm")]

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::{Either, join_all, ready, select};
use serde_json::{Value, json};
use steadfetch::{Body, Client, ErrorKind, IntoSend, Mode, Outcome, Phase, Redirect, Retry, run_local};
use steadfetch_browser_tests::{Patch, Server, bare_fetch, engine, evaluate, now, runtime};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

fn api() -> Client {
    Client::builder().retry(Retry::new().limit(2).delay(Duration::from_millis(10)).jitter(false)).build().unwrap()
}

#[wasm_bindgen_test]
fn the_runtime_is_the_one_that_is_meant() {
    let meant = evaluate("globalThis.process?.env?.STEADFETCH_RUNTIME").as_string();
    assert!(meant.is_none() || meant.as_deref() == runtime(), "{meant:?}, but this is {:?}", runtime());
}

#[wasm_bindgen_test]
async fn json_goes_out_and_comes_in() {
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    struct Order {
        id: u32,
        items: Vec<String>,
        note: Option<String>,
        prices: BTreeMap<String, f64>,
    }
    let order = Order {
        id: 7,
        items: vec!["tea".into(), "caf\u{e9} \u{1f600}".into()],
        note: None,
        prices: [("tea".to_owned(), 1.0), ("cup".to_owned(), 2.5)].into(),
    };
    let origin = Server::default().open_with(json!({ "echo": true })).await;
    let echo: Value = api().post(origin.url("/a")).json(&order).send().await.unwrap().json().await.unwrap();
    assert_eq!(echo["headers"]["content-type"], "application/json");
    let sent: Order = serde_json::from_str(echo["body"].as_str().unwrap()).unwrap();
    assert_eq!(sent, order);
    origin.close().await;

    let origin = Server::default().open_with(json!({ "json": order })).await;
    let read: Order = api().get(origin.url("/a")).send().await.unwrap().json().await.unwrap();
    assert_eq!(read, order);
    let error = api().get(origin.url("/a")).send().await.unwrap().json::<Vec<u8>>().await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::UnexpectedResponse, Some(200)));
    assert!(error.issues().is_some());
    origin.close().await;
}

#[wasm_bindgen_test]
async fn n14_no_number_becomes_another_one() {
    let origin = Server::default().open_with(json!({ "echo": true })).await;
    let numbers = json!([0, -1, 1.5, 9_007_199_254_740_993_u64, u64::MAX, i64::MIN]);
    let echo: Value = api().post(origin.url("/a")).json(&numbers).send().await.unwrap().json().await.unwrap();
    assert_eq!(echo["body"], numbers.to_string());
    origin.close().await;

    let origin = Server::default().open_with(json!({ "body": numbers.to_string() })).await;
    let read: Value = api().get(origin.url("/a")).send().await.unwrap().json().await.unwrap();
    assert_eq!(read, numbers);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn d08_text_is_what_the_platform_makes_of_the_bytes() {
    let bodies = [
        "77u/eyJhIjoxfQ==", // a byte order mark, {"a":1}
        "77u/77u/eA==",     // two of them: Node drops both, browsers the first only
        "77s=",             // half of one
        "YcOpYg==",         // a two-byte character
        "YcNi",             // half of it
        "8J+YgPCfmA==",     // a four-byte character, and one that is cut
        "wICA7aCA9JCAgP8=", // overlong, a surrogate, beyond the last, no UTF-8 at all
        "",
    ];
    for body in bodies {
        if runtime() == Some("node") && body == "77u/77u/eA==" {
            continue;
        }
        let origin = Server::default().open_with(json!({ "bodyBase64": body })).await;
        let (_, platform) = bare_fetch("GET", &origin.url("/a"), None).await.unwrap();
        let ours = api().get(origin.url("/a")).send().await.unwrap().text().await.unwrap();
        assert_eq!(ours, platform, "{body}");
        origin.close().await;
    }
}

#[wasm_bindgen_test]
async fn a14_fetch_is_looked_up_when_it_is_called_and_has_its_receiver() {
    let origin = Server::default().open_with(json!({ "json": { "a": 1 } })).await;
    assert_eq!(api().get(origin.url("/a")).send().await.unwrap().status(), 200);
    let patch = Patch::new(
        "fetch",
        "return function (url, init) {
           if (this !== globalThis) throw new TypeError('Illegal invocation');
           return original(url + '?mocked', init);
         };",
    );
    assert_eq!(api().get(origin.url("/a")).send().await.unwrap().status(), 200);
    drop(patch);
    let report = origin.report().await;
    assert_eq!(report["log"][1]["url"], "/a?mocked");
    origin.close().await;
}

#[wasm_bindgen_test]
async fn outside_of_pages_a_response_that_nobody_reads_keeps_no_process_alive() {
    if engine() != "node" {
        return;
    }
    let fetch = Patch::new("fetch", "return async () => new Response(new ReadableStream());");
    let timers = Patch::new("setTimeout", "return (...rest) => (globalThis.steadfetchTestTimer = original(...rest));");
    let holds = || evaluate("globalThis.steadfetchTestTimer.hasRef()").is_truthy();
    let mut call = Box::pin(api().get("https://api.example.test/").send());
    assert!(matches!(select(&mut call, ready(())).await, Either::Right(_)));
    assert!(holds(), "a call");
    let mut response = call.await.unwrap();
    assert!(!holds(), "a response");
    {
        let mut read = Box::pin(response.chunk());
        assert!(matches!(select(&mut read, ready(())).await, Either::Right(_)));
        assert!(holds(), "a read");
    }
    drop((response, fetch, timers));
}

#[wasm_bindgen_test]
async fn a_deno_whose_timers_are_numbers_is_told_the_same() {
    let fetch = Patch::new("fetch", "return async () => new Response(new ReadableStream());");
    let timers = Patch::new(
        "setTimeout",
        "return (...rest) => {
           const timer = original(...rest);
           // The fetch of Node sets timers by the same global.
           return new Error().stack.includes('wasm') ? Number(timer) : timer;
         };",
    );
    let own = evaluate(
        "(() => {
           const own = Object.getOwnPropertyDescriptor(globalThis, 'Deno');
           const held = new Map();
           const value = { held, refTimer: (id) => held.set(id, true), unrefTimer: (id) => held.set(id, false) };
           Object.defineProperty(globalThis, 'Deno', { configurable: true, value });
           return () => (own ? Object.defineProperty(globalThis, 'Deno', own) : delete globalThis.Deno);
         })()",
    );
    let last = || evaluate("[...Deno.held.values()].at(-1)").as_bool();
    let mut call = Box::pin(api().get("https://api.example.test/").send());
    assert!(matches!(select(&mut call, ready(())).await, Either::Right(_)));
    assert_ne!(last(), Some(false), "a call");
    let mut response = call.await.unwrap();
    assert_eq!(last(), Some(false), "a response");
    {
        let mut read = Box::pin(response.chunk());
        assert!(matches!(select(&mut read, ready(())).await, Either::Right(_)));
        assert_ne!(last(), Some(false), "a read");
    }
    drop((response, fetch, timers));
    js_sys::Function::from(own).call0(&JsValue::UNDEFINED).unwrap();
}

#[wasm_bindgen_test]
async fn a01_whatever_fetch_throws_is_a_network_error() {
    let bodies = [
        "return () => Promise.reject(new TypeError('Load failed'))",
        "return () => Promise.reject(new Error('fetch failed'))",
        "return () => Promise.reject(undefined)",
        "return () => Promise.reject('text')",
        "return () => { throw new TypeError('at once') }",
    ];
    for body in bodies {
        let patch = Patch::new("fetch", body);
        let error = api().get("https://api.example.test/").send().await.unwrap_err();
        drop(patch);
        assert_eq!((error.kind(), error.phase()), (ErrorKind::Network, Some(Phase::Headers)), "{body}");
        assert_eq!(error.attempts().len(), 3, "{body}");
    }
    let patch = Patch::new("fetch", "return undefined");
    let error = api().get("https://api.example.test/").send().await.unwrap_err();
    drop(patch);
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Unsupported, Outcome::NotSent));
}

#[wasm_bindgen_test]
async fn a_mock_that_answers_with_odd_things_harms_nobody() {
    let bodies = [
        "return async () => ({})",
        "return async () => ({ status: 200 })",
        "return async () => ({ status: 200, headers: new Headers(), body: {} })",
        "return async () => ({ status: 200, headers: new Headers(), body: { getReader() { throw new Error('x') } } })",
        "return async () => new Response(new ReadableStream({ pull(c) { c.enqueue('text') } }))",
        "return async () => new Response(new ReadableStream({ pull(c) { c.error(new Error('x')) } }))",
        "return async () => Response.error()",
    ];
    for body in bodies {
        let patch = Patch::new("fetch", body);
        let result = async { api().get("https://api.example.test/").send().await?.text().await }.await;
        drop(patch);
        if let Err(error) = result {
            let kinds = [ErrorKind::Network, ErrorKind::Callback];
            assert!(kinds.contains(&error.kind()), "{body}: {error:?}");
        }
    }
}

#[wasm_bindgen_test]
async fn a03_mistakes_are_found_before_anything_is_sent() {
    let origin = Server::default().open_with(json!({ "json": 1 })).await;
    let url = || origin.url("/a");
    let host = origin.origin.trim_start_matches("http://").to_owned();
    let mistakes = [
        ("no host", api().get("http://")),
        ("credentials", api().get(format!("http://joe:S3CRET@{host}/a"))),
        ("scheme", api().get("foo://x")),
        ("header name", api().get(url()).header("a b", "1")),
        ("header value", api().get(url()).header("a", "1\r\nb: 2")),
        ("header character", api().get(url()).header("a", "\u{4e2d}")),
        ("TRACE", api().request("TRACE", url())),
        ("method", api().request("A B", url())),
        ("a body", api().get(url()).body("x")),
        ("keepalive", api().post(url()).keepalive(true).body("x".repeat(65_537))),
    ];
    // Bun sends the first two, the second one as a GET, and of the others it makes an outage.
    let unknown_to_bun = ["TRACE", "method", "a body", "scheme"];
    for (name, request) in mistakes {
        if runtime() == Some("bun") && unknown_to_bun.contains(&name) {
            continue;
        }
        let started = now();
        let error = request.send().await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidRequest, Outcome::NotSent), "{name}");
        assert!(error.attempts().is_empty(), "{name}");
        assert!(now() - started < 500.0, "{name}");
        assert!(!format!("{error} {error:?}").contains("S3CRET"), "{name}");
    }
    assert_eq!(origin.report().await["requests"], 0);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn headers_url_and_redirects_are_readable() {
    let origin = Server::default().open(&json!({})).await;
    origin
        .script(&json!({ "routes": [
            { "path": "/from", "steps": [{ "redirect": { "status": 302, "to": "/to" } }] },
            { "path": "/to", "steps": [{ "json": 1, "headers": { "content-type": "application/json", "x-a": "1" } }] },
        ] }))
        .await;
    let response = api().get(origin.url("/from")).send().await.unwrap();
    assert_eq!((response.url(), response.redirected()), (origin.url("/to"), true));
    assert_eq!(response.header("X-A").as_deref(), Some("1"));
    assert_eq!(response.header("x-b"), None);
    assert!(response.headers().contains(&("x-a".to_owned(), "1".to_owned())));
    drop(response);
    let error = api().get(origin.url("/from")).redirect(Redirect::Error).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Network);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn bodies_of_the_platform_are_sent_again_as_they_were() {
    let origin = Server::default().open_with(json!([{ "before": "reset" }, { "echo": true }])).await;
    let form = evaluate("(() => { const form = new FormData(); form.append('name', 'value'); return form; })()");
    let echo: Value = api().put(origin.url("/a")).body(Body::from_js(form)).send().await.unwrap().json().await.unwrap();
    assert_eq!(echo["multipart"]["found"], true);
    origin.close().await;

    let origin = Server::default().open_with(json!([{ "before": "reset" }, { "echo": true }])).await;
    let blob = evaluate("new Blob(['abc'], { type: 'text/x-a' })");
    let echo: Value = api().put(origin.url("/a")).body(Body::from_js(blob)).send().await.unwrap().json().await.unwrap();
    assert_eq!((&echo["body"], &echo["headers"]["content-type"]), (&json!("abc"), &json!("text/x-a")));
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_stream_is_sent_once_or_refused() {
    let origin = Server::default().open_with(json!({ "echo": true })).await;
    let stream = evaluate("new ReadableStream({ start(c) { c.enqueue(new Uint8Array([97])); c.close(); } })");
    let result = api().put(origin.url("/a")).body(Body::from_js(stream)).send().await;
    match engine() {
        "node" => {
            let echo: Value = result.unwrap().json().await.unwrap();
            assert_eq!(echo["body"], "a");
        }
        // Over HTTP/1.1 Chromium reports an outage.
        "chromium" => {
            let error = result.unwrap_err();
            assert_eq!(
                (error.kind(), error.hint().map(steadfetch::Hint::name)),
                (ErrorKind::Network, Some("stream-upload-http2"))
            );
            assert_eq!(error.attempts().len(), 1);
        }
        _ => {
            let error = result.unwrap_err();
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::Unsupported, Outcome::NotSent));
        }
    }
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a11_an_opaque_response_cannot_be_read() {
    if engine() == "node" {
        return;
    }
    // The runner's page is cross-origin isolated: what says nothing of itself would be blocked.
    let headers = json!({ "cross-origin-resource-policy": "cross-origin" });
    let origin = Server::default().open_with(json!({ "status": 404, "json": 1, "headers": headers })).await;
    let response = api().get(origin.url("/a")).mode(Mode::NoCors).send().await.unwrap();
    assert_eq!(response.status(), 0);
    let error = response.json::<Value>().await.unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::UnexpectedResponse, Outcome::Answered));
    origin.close().await;
}

#[wasm_bindgen_test]
async fn the_platforms_response_can_be_read_by_the_platform() {
    let origin = Server::default().open_with(json!({ "json": { "a": 1 } })).await;
    let response = api().get(origin.url("/a")).send().await.unwrap();
    let web = JsValue::from(response.as_web());
    let read: js_sys::Function = js_sys::Reflect::get(&web, &"text".into()).unwrap().into();
    let text: js_sys::Promise = read.call0(&web).unwrap().into();
    let text = wasm_bindgen_futures::JsFuture::from(text).await.unwrap();
    assert_eq!(text.as_string().as_deref(), Some("{\"a\":1}"));
    assert_eq!(response.bytes().await.unwrap_err().kind(), ErrorKind::Network);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn one_hundred_calls_at_once() {
    let origin = Server::default().open_with(json!({ "delay": 5, "echo": true })).await;
    let api = Client::builder().base_url(&origin.origin).build().unwrap();
    let calls = (0..100).map(|number| {
        let call = api.get("a").query([("n", number)]).send();
        async move { (number, call.await.unwrap().json::<Value>().await.unwrap()) }
    });
    for (number, echo) in join_all(calls).await {
        assert_eq!(echo["url"], format!("/a?n={number}"));
    }
    let report = origin.wait(&[("completed", 100), ("open", 0)]).await;
    assert_eq!((&report["requests"], &report["closes"]), (&json!(100), &json!(0)));
    origin.close().await;
}

#[wasm_bindgen_test]
async fn chunks_arrive_while_the_answer_is_still_being_made() {
    let chunks = json!({ "chunks": [{ "text": "one" }, { "text": "two", "gate": "second" }] });
    let origin = Server::default().open_with(chunks).await;
    let mut stream = api().get(origin.url("/a")).send().await.unwrap().stream();
    assert_eq!(stream.next().await.unwrap().unwrap(), b"one");
    origin.release("second").await;
    assert_eq!(stream.next().await.unwrap().unwrap(), b"two");
    assert!(stream.next().await.is_none());
    assert!(stream.next().await.is_none());
    origin.close().await;
}

#[wasm_bindgen_test]
async fn c10_the_wall_clock_may_jump() {
    let origin = Server::default().open_with(json!({ "delay": 200, "json": 1 })).await;
    for hours in [1, -1] {
        let patch = evaluate(&format!(
            "(() => {{ const now = Date.now; Date.now = () => now() + {hours} * 3600000; return () => {{ Date.now = now; }}; }})()"
        ));
        let result = api().get(origin.url("/a")).timeout(Duration::from_secs(2)).send().await;
        js_sys::Function::from(patch).call0(&JsValue::UNDEFINED).unwrap();
        let response = result.unwrap();
        assert!((200..2_000).contains(&response.elapsed().as_millis()));
    }
    origin.close().await;
}

#[wasm_bindgen_test]
async fn b12_an_answer_that_is_there_wins_over_a_late_timer() {
    // Node and Deno have no network process beside their one thread: nothing is even sent while that is busy.
    if matches!(runtime(), Some("node" | "deno")) {
        return;
    }
    let origin = Server::default().open_with(json!({ "delay": 50, "json": 1 })).await;
    let call = api().get(origin.url("/a")).headers_timeout(Duration::from_millis(500)).retry(0).send();
    futures_util::pin_mut!(call);
    let sent = futures_util::future::select(&mut call, std::future::ready(())).await;
    assert!(matches!(sent, futures_util::future::Either::Right(_)));
    let started = now();
    while now() - started < 1_500.0 {}
    assert_eq!(call.await.unwrap().status(), 200);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn c04_what_no_timer_can_hold_never_fires() {
    let origin = Server::default().open_with(json!({ "delay": 100, "json": 1 })).await;
    for span in [Duration::from_millis(1 << 31), Duration::from_secs(9_000_000_000_000), Duration::MAX] {
        let request = api().get(origin.url("/a")).timeout(span).total_timeout(span).headers_timeout(span);
        assert_eq!(request.retry(0).send().await.unwrap().status(), 200);
    }
    origin.close().await;
}

#[wasm_bindgen_test]
async fn m01_no_secret_is_told() {
    let step = json!({ "status": 500, "echo": true });
    let origin = Server::default().open_with(step).await;
    let error = api()
        .post(origin.url("/a?access_token=S3CRET#S3CRET"))
        .header("X-Api-Key", "S3CRET")
        .body("refresh_token=S3CRET")
        .send()
        .await
        .unwrap_err();
    assert!(error.data().unwrap().contains("S3CRET"), "the server has echoed it");
    let told = format!("{error} {error:?} {error:#?} {}", serde_json::to_string(&error).unwrap());
    assert!(!told.contains("S3CRET"), "{told}");
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_future_fits_where_send_is_asked_for() {
    fn asks_for_send<T: Send>(future: T) -> T {
        future
    }
    let origin = Server::default().open_with(json!({ "json": 7 })).await;
    let (api, url) = (api(), origin.url("/a"));
    let (same, again) = (api.clone(), url.clone());
    let number: u8 = asks_for_send(async move { api.get(url).send().await?.json().await }.into_send()).await.unwrap();
    assert_eq!(number, 7);
    let call = run_local(move || async move { same.get(again).send().await?.json::<u8>().await });
    assert_eq!(asks_for_send(call).await, Ok(7));
    origin.close().await;
}

#[wasm_bindgen_test]
fn a_base_url_is_checked_when_the_client_is_built() {
    for bad in ["http://", "http://joe:S3CRET@api.example.test/", "localhost:4510/v1"] {
        let error = Client::builder().base_url(bad).build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidOption);
        assert!(!error.to_string().contains("S3CRET"));
    }
    assert!(
        Client::builder().base_url("/v1").build().is_ok(),
        "code of a page runs on servers too, where its calls fail"
    );
}
