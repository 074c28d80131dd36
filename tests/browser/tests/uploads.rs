//! Bodies of the platform: what is told of them before they are sent, and what becomes of them after.
#![cfg(target_family = "wasm")]

use std::time::Duration;

use serde_json::{Value, json};
use steadfetch::multipart::{Form, Part};
use steadfetch::{
    Auth, AuthError, Body, Client, DeadlineHeader, ErrorKind, Outcome, Refreshed, RequestBuilder, Retry, RetryStopped,
};
use steadfetch_browser_tests::{Patch, Server, engine, evaluate, runtime};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

fn api() -> Client {
    Client::builder().retry(Retry::new().delay(Duration::ZERO)).build().unwrap()
}

/// A network that is down, and counts who asks for it.
fn outage() -> Patch {
    Patch::new(
        "fetch",
        "globalThis.steadfetchTestCalls = 0;
         return async () => {
           globalThis.steadfetchTestCalls += 1;
           throw new TypeError('Failed to fetch');
         };",
    )
}

fn calls() -> Option<f64> {
    evaluate("globalThis.steadfetchTestCalls").as_f64()
}

/// A body of so many bytes in all.
fn form(value: &str) -> Body {
    Body::from_js(evaluate(&format!(
        "(() => {{ const form = new FormData(); form.append('a', {value}); return form; }})()"
    )))
}

#[wasm_bindgen_test]
async fn e09_a_file_that_has_changed_is_not_sent_again() {
    let file = || Body::from_js(evaluate("new File(['abc'], 'a.txt')"));
    let rows = [
        ("Blob", Body::from_js(evaluate("new Blob(['abc'])"))),
        ("File", file()),
        ("FormData", form("new File(['abc'], 'a.txt')")),
    ];
    for (name, body) in rows {
        let network = outage();
        evaluate(
            "(() => {
               const read = Blob.prototype.arrayBuffer;
               globalThis.steadfetchTestRestore = () => { Blob.prototype.arrayBuffer = read; };
               Blob.prototype.arrayBuffer = async () => { throw new DOMException('gone', 'NotReadableError'); };
             })()",
        );
        let error = api().put("https://api.example.test/").body(body).send().await.unwrap_err();
        evaluate("globalThis.steadfetchTestRestore()");
        drop(network);
        assert_eq!(
            (error.kind(), error.hint().map(steadfetch::Hint::name)),
            (ErrorKind::InvalidRequest, Some("body-changed")),
            "{name}"
        );
        assert_eq!((calls(), error.attempts().len(), error.outcome()), (Some(1.0), 1, Outcome::Unknown), "{name}");
    }
    let network = outage();
    let error = api().put("https://api.example.test/").body(file()).retry(1).send().await.unwrap_err();
    drop(network);
    assert_eq!((error.kind(), calls()), (ErrorKind::Network, Some(2.0)), "one that can be read");
}

#[wasm_bindgen_test]
async fn e10_more_than_a_keepalive_request_can_carry_is_never_sent() {
    let rows = |bytes: usize| {
        // Two bytes a letter as text; its name and the sign after it are bytes of a form too.
        let text = format!("'\u{e9}'.repeat({}) + 'a'.repeat({})", bytes / 2, bytes % 2);
        [
            ("Blob", Body::from_js(evaluate(&format!("new Blob([new Uint8Array({bytes})])")))),
            ("ArrayBuffer", Body::from_js(evaluate(&format!("new ArrayBuffer({bytes})")))),
            ("Uint8Array", Body::from_js(evaluate(&format!("new Uint8Array({bytes})")))),
            ("text", Body::from_js(evaluate(&text))),
            (
                "URLSearchParams",
                Body::from_js(evaluate(&format!("new URLSearchParams({{ a: 'b'.repeat({}) }})", bytes - 2))),
            ),
            ("FormData with a text", form(&text)),
            ("FormData with a Blob", form(&format!("new Blob([new Uint8Array({bytes})])"))),
        ]
    };
    let send = |body| api().post("https://api.example.test/").keepalive(true).body(body).send();
    let network = outage();
    for (name, body) in rows(65_537) {
        let error = send(body).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidRequest, Outcome::NotSent), "{name}");
    }
    assert_eq!(calls(), Some(0.0));
    for (name, body) in rows(65_536) {
        assert_eq!(send(body).await.unwrap_err().kind(), ErrorKind::Network, "{name}");
    }
    drop(network);
    assert_eq!(calls(), Some(7.0));
}

#[wasm_bindgen_test]
async fn e06_only_the_platform_knows_the_boundary_of_a_form() {
    let origin = Server::default().open_with(json!({ "echo": true })).await;
    let request = api().put(origin.url("/a")).header("content-type", "multipart/form-data");
    let echo: Value = request.body(form("'b'")).send().await.unwrap().json().await.unwrap();
    assert_eq!(echo["multipart"]["found"], true, "{echo}");
    origin.close().await;
}

/// A stream that stays open, and notes the reasons it is cancelled with.
const STREAM: &str = "(() => {
    globalThis.steadfetchTestReasons = [];
    let cancelled;
    globalThis.steadfetchTestCancelled = new Promise((resolve) => { cancelled = resolve; });
    return new ReadableStream({
      start(controller) { controller.enqueue(new Uint8Array([97])); },
      cancel(reason) {
        globalThis.steadfetchTestReasons.push(`${reason?.message}`);
        cancelled();
      },
    });
  })()";

fn streams_uploads() -> bool {
    matches!(engine(), "node" | "chromium")
}

/// Once there are any.
async fn reasons() -> Option<String> {
    let cancelled = evaluate("globalThis.steadfetchTestCancelled").unchecked_into::<js_sys::Promise>();
    JsFuture::from(cancelled).await.unwrap();
    evaluate("globalThis.steadfetchTestReasons.join('; ')").as_string()
}

#[wasm_bindgen_test]
async fn e03_a_stream_that_was_cut_is_cancelled_once_with_the_reason() {
    if !streams_uploads() {
        return;
    }
    let origin = Server::default().open_with(json!({ "readBody": "first", "before": "reset" })).await;
    let stream = Body::from_js(evaluate(STREAM));
    let error = api().put(origin.url("/a")).body(stream).send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts().len()), (ErrorKind::Network, 1));
    assert_eq!(error.retry_stopped(), Some(RetryStopped::Body));
    let reasons = reasons().await.unwrap();
    // Deno and Bun cancel what they were sending themselves, and say nothing.
    if matches!(runtime(), Some("deno" | "bun")) {
        assert!(!reasons.contains("; "), "once: {reasons}");
    } else {
        assert_eq!(reasons, error.to_string());
    }
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_stream_that_is_not_sent_is_cancelled_too() {
    if !streams_uploads() {
        return;
    }
    let network = outage();
    let api = api();
    let call = api.put("https://api.example.test/").body(Body::from_js(evaluate(STREAM))).send();
    api.close();
    let error = call.await.unwrap_err();
    assert_eq!((error.kind(), calls()), (ErrorKind::Aborted, Some(0.0)));
    assert_eq!(reasons().await, Some(error.to_string()));

    let locked = evaluate("(() => { const stream = new ReadableStream(); stream.getReader(); return stream; })()");
    let error = self::api().put("https://api.example.test/").body(Body::from_js(locked)).send().await.unwrap_err();
    drop(network);
    assert_eq!((error.kind(), calls()), (ErrorKind::InvalidRequest, Some(0.0)));
}

#[wasm_bindgen_test]
async fn a08_headers_of_ours_that_need_a_preflight_are_named() {
    if engine() == "node" {
        return;
    }
    let told = |error: steadfetch::Error| {
        assert_eq!(
            (error.kind(), error.hint().map(steadfetch::Hint::name)),
            (ErrorKind::Network, Some("non-safelisted-headers")),
            "{error}"
        );
        error.to_string()
    };
    let network = outage();
    let deadline = DeadlineHeader::new("X-Left-Ms").cross_origin(true);
    let error = api().post("https://api.example.test/").deadline_header(deadline).send().await.unwrap_err();
    assert!(told(error).contains("x-left-ms"));

    let auth = || {
        Auth::new(
            |_| async { Ok(Some("S3CRET".to_owned())) },
            |_| async { Ok::<_, AuthError>(Refreshed::Token("S3CRET".to_owned())) },
        )
    };
    let with = |auth: Auth| Client::builder().base_url("https://api.example.test/").auth(auth).build().unwrap();
    let told = told(with(auth().header("X-Token")).post("a").send().await.unwrap_err());
    assert!(told.contains("x-token") && !told.contains("S3CRET"), "{told}");
    // A06: a 401 without CORS headers looks so, and every request with a token has needed a preflight.
    let error = with(auth()).post("a").send().await.unwrap_err();
    assert_eq!(
        (error.kind(), error.hint().map(steadfetch::Hint::name)),
        (ErrorKind::Network, Some("cross-origin")),
        "{error}"
    );
    drop(network);
}

/// The body that the server has got, with its boundary replaced: each form has one of its own.
async fn received(call: RequestBuilder) -> String {
    let echo: Value = call.await.unwrap().json().await.unwrap();
    let kind = echo["headers"]["content-type"].as_str().unwrap();
    let (_, boundary) = kind.split_once("boundary=").unwrap();
    echo["body"].as_str().unwrap().replace(boundary, "boundary").trim_end().to_owned()
}

// WebKit cannot read the form of a Request that it has made itself: a server has to.
#[wasm_bindgen_test]
async fn forms_of_the_crate_and_of_the_platform_are_sent_the_same() {
    let origin = Server::default().open_with(json!({ "echo": true })).await;
    let ours =
        Form::new().text("a", "\u{e9}").part("f", Part::bytes(*b"abc").file_name("f.txt").content_type("text/plain"));
    let theirs = web_sys::FormData::new().unwrap();
    theirs.append_with_str("a", "\u{e9}").unwrap();
    let file = evaluate("new Blob(['abc'], { type: 'text/plain' })").unchecked_into();
    theirs.append_with_blob_and_filename("f", &file, "f.txt").unwrap();
    let ours = received(api().post(origin.url("/a")).multipart(ours)).await;
    assert_eq!(ours, received(api().post(origin.url("/a")).body(&theirs)).await);
    assert!(ours.contains("\u{e9}") && ours.contains("filename=\"f.txt\""), "{ours}");
}

#[wasm_bindgen_test]
async fn a_stream_of_rust_is_sent_as_the_platform_takes_it() {
    use futures_util::{StreamExt, stream};

    let polled = std::rc::Rc::new(std::cell::Cell::new(0));
    let counted = polled.clone();
    let pieces = move || {
        let counted = counted.clone();
        stream::iter(["a", "", "bc"]).map(move |piece| {
            counted.set(counted.get() + 1);
            Ok::<_, ()>(piece)
        })
    };
    if runtime().is_none() && engine() != "chromium" {
        let error = api().put("https://api.example.test/").body(Body::from_stream(pieces())).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome(), polled.get()), (ErrorKind::Unsupported, Outcome::NotSent, 0));
        return;
    }
    let network =
        Patch::new("fetch", "return async (url, init) => new Response(await new Response(init.body).text());");
    let request = api().put("https://api.example.test/").body(Body::from_stream(pieces()));
    assert_eq!(polled.get(), 0, "nothing is asked of it before it is sent");
    assert!(request.try_clone().is_none());
    let text = async { request.await?.text().await }.await;
    assert_eq!((text.as_deref(), polled.get()), (Ok("abc"), 3));

    let broken = Body::from_stream(stream::iter([Ok("a"), Err("S3CRET")]));
    let error = api().put("https://api.example.test/").body(broken).await.unwrap_err();
    drop(network);
    assert_eq!((error.kind(), error.attempts().len()), (ErrorKind::Network, 1));
    assert!(!error.to_string().contains("S3CRET"));
}

#[wasm_bindgen_test]
async fn a_stream_of_rust_is_dropped_with_its_call() {
    use futures_util::{StreamExt, stream};

    if runtime().is_none() && engine() != "chromium" {
        return;
    }
    let alive = std::rc::Rc::new(());
    let held = alive.clone();
    let endless =
        stream::unfold(held, |held| async move { Some((Ok::<_, ()>("a"), held)) }).take(1).chain(stream::pending());
    let network =
        Patch::new("fetch", "return async (url, init) => (await init.body.getReader().read(), new Promise(() => {}));");
    let call =
        api().put("https://api.example.test/").body(Body::from_stream(endless)).timeout(Duration::from_millis(50));
    let error = call.await.unwrap_err();
    drop(network);
    assert_eq!(error.kind(), ErrorKind::Timeout);
    // The pipe tells the stream in tasks of its own.
    for _ in 0..100 {
        if std::rc::Rc::strong_count(&alive) == 1 {
            return;
        }
        gloo_timers::future::TimeoutFuture::new(1).await;
    }
    panic!("the stream is still there");
}

#[wasm_bindgen_test]
async fn members_that_this_crate_does_not_know_reach_fetch() {
    let network = Patch::new(
        "fetch",
        "return async (url, init) => new Response(JSON.stringify([init.cf, init.odd, init.method]));",
    );
    let request = api().put("https://api.example.test/").init("cf", "a").init("odd", 2).init("cf", "b");
    let text = async { request.await?.text().await }.await;
    assert_eq!(text.as_deref(), Ok(r#"["b",2,"PUT"]"#));
    for name in ["method", "signal", "redirect"] {
        let error = api().put("https://api.example.test/").init(name, "a").await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidOption, Outcome::NotSent), "{name}");
        assert!(error.to_string().contains("init"), "{error}");
    }
    drop(network);
}
