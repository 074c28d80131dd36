//! Values of the caller, of other realms and of mocks: whatever they are like, one call ends with a typed error or works, and
//! no other call notices.
#![cfg(target_family = "wasm")]

use std::time::Duration;

use futures_util::future::{Either, ready, select};
use steadfetch::{Body, Client, ErrorKind, Mode, Outcome, RequestBuilder, Retry, Scope};
use steadfetch_browser_tests::{Patch, engine, evaluate, runtime};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::AbortSignal;

const URL: &str = "https://api.example.test/";

fn api() -> Client {
    Client::builder().retry(Retry::new().delay(Duration::ZERO)).build().unwrap()
}

/// How often the network was asked.
fn calls() -> Option<f64> {
    evaluate("globalThis.steadfetchTestCalls").as_f64()
}

/// What counts its calls in the place of fetch.
fn fetch(answer: &str) -> Patch {
    Patch::new(
        "fetch",
        &format!(
            "globalThis.steadfetchTestCalls = 0; const answer = {answer}; return (...given) => (globalThis.steadfetchTestCalls++, answer(...given));"
        ),
    )
}

/// Puts the global object of another realm into `steadfetchTestRealm`, where there can be one.
fn has_realm() -> bool {
    evaluate(
        "(() => {
           const vm = globalThis.process?.getBuiltinModule?.('vm');
           if (vm) return (globalThis.steadfetchTestRealm = vm.runInNewContext('globalThis'));
           if (!globalThis.document) return undefined;
           globalThis.steadfetchTestRealm ??= document.body.appendChild(document.createElement('iframe')).contentWindow;
           return globalThis.steadfetchTestRealm;
         })()",
    )
    .is_object()
}

#[wasm_bindgen_test]
async fn a_body_that_changes_after_the_call_is_sent_as_it_was() {
    let rows = [
        ("new Uint8Array([97, 98, 99])", "body.fill(120)", "abc"),
        ("new Uint8Array([97, 98, 99, 100]).subarray(1, 3)", "body.fill(120)", "bc"),
        ("new DataView(new Uint8Array([97, 98, 99]).buffer, 1)", "new Uint8Array(body.buffer).fill(120)", "bc"),
        ("new Uint8Array([97, 98, 99]).buffer", "new Uint8Array(body).fill(120)", "abc"),
        ("new URLSearchParams({ a: 'b' })", "body.append('c', 'd')", "a=b"),
        (
            "(() => { const form = new FormData(); form.append('a', 'file'); return form; })()",
            "body.set('a', 'other')",
            "file",
        ),
    ];
    // Each attempt notes what it sends, and the first one fails.
    let network = fetch(
        "(url, init) => {
           const first = globalThis.steadfetchTestCalls === 1;
           if (first) globalThis.steadfetchTestSent = [];
           globalThis.steadfetchTestSent.push(new Response(init.body).text());
           if (first) throw new TypeError('Failed to fetch');
           return new Response();
         }",
    );
    for (make, change, expected) in rows {
        evaluate("globalThis.steadfetchTestCalls = 0");
        let body = evaluate(&format!("globalThis.steadfetchTestBody = {make}"));
        let request = api().put(URL).body(Body::from_js(body));
        let call = request.send();
        evaluate(&format!("((body) => {change})(globalThis.steadfetchTestBody)"));
        assert_eq!(call.await.unwrap().status(), 200, "{make}");
        let sent = evaluate("Promise.all(globalThis.steadfetchTestSent)").unchecked_into::<js_sys::Promise>();
        let sent = js_sys::Array::from(&wasm_bindgen_futures::JsFuture::from(sent).await.unwrap());
        assert_eq!(sent.length(), 2, "{make}");
        for text in sent {
            let text = text.as_string().unwrap();
            assert!(text == expected || text.contains("\r\n\r\nfile\r\n"), "{make}: {text}");
        }
    }
    drop(network);
}

#[wasm_bindgen_test]
async fn a_body_that_can_be_read_once_is_sent_once() {
    // Node takes it for a stream.
    if runtime() != Some("node") {
        return;
    }
    let network = fetch("() => { throw new TypeError('Failed to fetch'); }");
    let body = Body::from_js(evaluate("(async function* () { yield new Uint8Array([97]); })()"));
    let error = api().put(URL).body(body).send().await.unwrap_err();
    drop(network);
    assert_eq!((error.kind(), error.attempts().len()), (ErrorKind::Network, 1));
}

#[wasm_bindgen_test]
async fn a_mock_that_gives_no_response_is_a_fault_of_its_own() {
    let rows = [
        ("() => undefined", "fetch returned undefined, not a Response"),
        ("async () => undefined", "fetch returned undefined, not a Response"),
        ("async () => 'text'", "fetch returned string, not a Response"),
        ("async () => ({})", "fetch returned a response without a numeric status"),
        ("async () => ({ ok: false, status: '500' })", "fetch returned a response without a numeric status"),
        ("() => { throw new ReferenceError('S3CRET') }", "fetch threw a ReferenceError"),
        ("async () => { throw new RangeError('S3CRET') }", "fetch threw a RangeError"),
        ("async () => JSON.parse('S3CRET')", "fetch threw a SyntaxError"),
    ];
    for (answer, detail) in rows {
        let network = fetch(answer);
        let error = api().get(URL).send().await.unwrap_err();
        drop(network);
        assert_eq!((error.kind(), calls()), (ErrorKind::Callback, Some(1.0)), "{answer}");
        let text = error.to_string();
        assert!(text.contains(detail) && !text.contains("S3CRET"), "{answer}: {text}");
    }
}

#[wasm_bindgen_test]
async fn what_throws_when_it_is_looked_at_ends_one_call_only() {
    let rows = [
        "async () => ({ status: 200, get headers() { throw 1 }, get url() { throw 1 }, get type() { throw 1 } })",
        "async () => ({ status: 200, headers: { get() { throw 1 }, [Symbol.iterator]() { throw 1 } } })",
        "async () => ({ status: 500, headers: new Headers(), get body() { throw 1 }, get bodyUsed() { throw 1 } })",
        "async () => ({ status: 200, headers: new Headers(), body: { getReader: () => ({ read: () => null, cancel() {} }) } })",
        "async () => ({ status: 200, headers: new Headers(), body: { getReader: () => ({ read: () => ({ get done() { throw 1 } }) }) } })",
        "async () => ({ status: 200, headers: new Headers(), body: { getReader: () => ({ async read() { return { value: { get length() { throw 1 } } } }, cancel() { throw 1 } }) } })",
        "async () => ({ status: 200, headers: new Headers(), body: { getReader() {}, cancel: () => undefined } })",
        "async () => new Proxy(new Response('a'), { get() { throw 1 } })",
        "() => ({ get then() { throw 1 } })",
        "() => Promise.reject({ get name() { throw 1 }, get cause() { throw 1 } })",
    ];
    let network = Patch::new(
        "fetch",
        "globalThis.steadfetchTestAnswer = (url) => new Promise((resolve) => { globalThis.steadfetchTestEnd = () => resolve(new Response('well')); }); return (...given) => globalThis.steadfetchTestAnswer(...given);",
    );
    let api = api();
    let mut other = Box::pin(async { api.get(URL).send().await?.text().await });
    assert!(matches!(select(&mut other, ready(())).await, Either::Right(_)));
    for answer in rows {
        evaluate(&format!("globalThis.steadfetchTestAnswer = {answer}"));
        let result = async {
            let response = api.post(URL).send().await?;
            let _ = (response.headers(), response.header("a"), response.url(), response.redirected());
            response.text().await
        };
        if let Err(error) = result.await {
            let kinds = [ErrorKind::Network, ErrorKind::Callback, ErrorKind::Http];
            assert!(kinds.contains(&error.kind()), "{answer}: {error:?}");
        }
    }
    evaluate("globalThis.steadfetchTestEnd()");
    assert_eq!(other.await.unwrap(), "well");
    drop(network);
}

#[wasm_bindgen_test]
async fn values_of_another_realm_are_what_they_are() {
    if !has_realm() {
        return;
    }
    let network = fetch(
        "async () => new Response(new ReadableStream({ start(c) { c.enqueue(new steadfetchTestRealm.Uint8Array([97, 98])); c.close(); } }))",
    );
    let text = async { api().get(URL).send().await?.text().await }.await;
    drop(network);
    assert_eq!(text.unwrap(), "ab");

    // It is refused by the platform: the error says so, whichever realm it is of.
    let network = fetch("async () => { throw new steadfetchTestRealm.TypeError('refused'); }");
    let error = api().request("TRACE", URL).send().await.unwrap_err();
    drop(network);
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidRequest, Outcome::NotSent));

    let network = fetch("async (url, init) => new Response(init.body)");
    let body = Body::from_js(evaluate("new steadfetchTestRealm.Uint8Array([97, 98])"));
    let text = async { api().put(URL).body(body).send().await?.text().await }.await;
    drop(network);
    assert_eq!(text.unwrap(), "ab");
}

#[wasm_bindgen_test]
async fn what_takes_no_listener_is_no_signal() {
    let signals = [
        "({ aborted: false })",
        "({ aborted: false, addEventListener() {} })",
        "({ aborted: false, addEventListener() { throw 1 }, removeEventListener() {} })",
        "({ get aborted() { throw 1 }, addEventListener() {}, removeEventListener() {} })",
        "new Proxy({}, { get() { throw 1 } })",
    ];
    let network = fetch("async () => new Response('a')");
    for code in signals {
        let signal: AbortSignal = evaluate(code).unchecked_into();
        let error = api().get(URL).signal(&signal).send().await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidRequest, Outcome::NotSent), "{code}");
        assert!(error.to_string().contains("AbortSignal"), "{error}");
        assert_eq!(error.url(), URL);
        let error = api().scope(Scope::new().signal(&signal)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidOption, "{code}");
        assert!(error.to_string().contains("signal"), "{error}");
    }
    assert_eq!(calls(), Some(0.0));
    // One that does not forget its listeners harms nobody.
    let odd = "({ aborted: false, addEventListener() {}, removeEventListener() { throw 1 } })";
    let response = api().get(URL).signal(&evaluate(odd).unchecked_into()).send().await.unwrap();
    assert_eq!(response.text().await.unwrap(), "a");
    drop(network);
}

#[wasm_bindgen_test]
async fn the_platform_says_which_schemes_there_are() {
    let network = fetch("async (url) => new Response(url)");
    for url in ["app://shell/a", "capacitor://localhost/b", "file:///c"] {
        let text = async { api().get(url).send().await?.text().await }.await;
        assert_eq!(text.as_deref(), Ok(url));
    }
    drop(network);
}

fn kind_of(request: RequestBuilder) -> impl Future<Output = (ErrorKind, Outcome, usize, String)> {
    let call = request.send();
    async move {
        let error = call.await.unwrap_err();
        (error.kind(), error.outcome(), error.attempts().len(), error.to_string())
    }
}

#[wasm_bindgen_test]
async fn what_the_platform_never_sends_is_not_repeated() {
    // Bun sends them.
    if runtime() == Some("bun") {
        return;
    }
    let mut rows = vec![(api().get("http://127.0.0.1:6000/"), "port"), (api().get("nonsense://a"), "scheme")];
    if runtime().is_none() {
        rows.push((api().get(URL).mode(Mode::SameOrigin), "same-origin"));
        let own = evaluate("location.origin").as_string().unwrap();
        // WebKit asks the network.
        let cached = api().get(format!("{own}/nothing-like-it")).cache(steadfetch::Cache::OnlyIfCached);
        if engine() != "webkit" {
            rows.push((cached.mode(Mode::SameOrigin), "only-if-cached"));
        }
    } else if runtime() == Some("node") {
        rows.push((api().get(URL).header("transfer-encoding", "chunked"), "transfer-encoding"));
    }
    for (request, word) in rows {
        let (kind, outcome, attempts, text) = kind_of(request).await;
        let expected = (ErrorKind::InvalidRequest, Outcome::NotSent, 0);
        assert_eq!((kind, outcome, attempts), expected, "{text}");
        assert!(text.contains(word), "{text}");
    }
}

#[wasm_bindgen_test]
async fn every_port_that_browsers_block_is_refused() {
    if runtime().is_some() {
        return;
    }
    let ports: Vec<u16> = serde_json::from_str(include_str!("../../vectors/blocked-ports.json")).unwrap();
    let calls = ports.iter().map(|port| kind_of(api().get(format!("http://127.0.0.1:{port}/"))));
    for (port, (kind, ..)) in ports.iter().zip(futures_util::future::join_all(calls).await) {
        assert_eq!(kind, ErrorKind::InvalidRequest, "{port}");
    }
    let free = kind_of(api().get("http://127.0.0.1:6001/").retry(0)).await;
    assert_eq!(free.0, ErrorKind::Network);
}

#[wasm_bindgen_test]
async fn keepalive_bodies_share_the_room_of_the_platform() {
    let network = fetch(
        "(url, init) => {
           (globalThis.steadfetchTestKept ??= []).push(init.keepalive ?? false);
           return new Promise((resolve) => (globalThis.steadfetchTestEnds ??= []).push(() => resolve(new Response())));
         }",
    );
    evaluate("globalThis.steadfetchTestKept = globalThis.steadfetchTestEnds = undefined");
    let api = api();
    let post = || api.post(URL).keepalive(true).body("x".repeat(40_000)).send();
    let kept = || evaluate("globalThis.steadfetchTestKept.join()").as_string().unwrap();
    let (mut one, mut other) = (Box::pin(post()), Box::pin(post()));
    assert!(matches!(select(&mut one, ready(())).await, Either::Right(_)));
    assert!(matches!(select(&mut other, ready(())).await, Either::Right(_)));
    assert_eq!(kept(), "true,false", "what goes beyond it is sent without");
    evaluate("globalThis.steadfetchTestEnds.forEach((end) => end())");
    assert_eq!((one.await.unwrap().status(), other.await.unwrap().status()), (200, 200));
    let mut next = Box::pin(post());
    assert!(matches!(select(&mut next, ready(())).await, Either::Right(_)));
    assert_eq!(kept(), "true,false,true");
    drop(next);
    let mut last = Box::pin(post());
    assert!(matches!(select(&mut last, ready(())).await, Either::Right(_)));
    assert_eq!(kept(), "true,false,true,true", "what was aborted has given its room back");
    drop((last, network));
}

#[wasm_bindgen_test]
async fn the_body_of_an_error_is_read_by_its_charset() {
    let network = fetch(
        "async () => new Response(new Uint8Array([0xcf, 0xf0, 0xe8]), { status: 500, headers: { 'content-type': 'text/plain; charset=windows-1251' } })",
    );
    let error = api().get(URL).send().await.unwrap_err();
    drop(network);
    assert_eq!(error.data(), Some("\u{41f}\u{440}\u{438}"));
}

#[wasm_bindgen_test]
async fn the_length_of_a_compressed_body_is_not_known() {
    let network =
        fetch("async () => new Response('abc', { headers: { 'content-length': '2', 'content-encoding': 'gzip' } })");
    let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let totals = told.clone();
    let request = api().get(URL).on_download_progress(move |progress| totals.borrow_mut().push(progress.total_bytes));
    assert_eq!(request.send().await.unwrap().text().await.unwrap(), "abc");
    drop(network);
    assert_eq!(*told.borrow(), [None, None]);
}

/// As the npm package: the platform itself knows which headers those are (Fetch standard, "CORS-safelisted request-header").
#[wasm_bindgen_test]
async fn the_hint_names_the_headers_that_need_a_preflight() {
    if runtime().is_some() {
        return;
    }
    let rows: Vec<serde_json::Value> = serde_json::from_str(include_str!("../../vectors/hints.json")).unwrap();
    let network = fetch("async () => { throw new TypeError('Failed to fetch'); }");
    let own = evaluate("location.origin").as_string().unwrap();
    for row in rows {
        let headers = row["headers"].as_array().unwrap().iter();
        let headers = headers.map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap()));
        let url = if row["sameOrigin"] == true { [&own, "/a"].concat() } else { URL.to_owned() };
        let error = api().post(url).headers(headers).body("a").send().await.unwrap_err();
        assert_eq!(error.hint().map(steadfetch::Hint::name), row["hint"].as_str(), "{row}: {error}");
        if let Some(names) = row["named"].as_array() {
            let names: Vec<_> = names.iter().filter_map(|name| name.as_str()).collect();
            let named = format!("headers that need a CORS preflight: {}", names.join(", "));
            assert!([",", ")"].iter().any(|end| error.to_string().contains(&format!("{named}{end}"))), "{error}");
        }
    }
    drop(network);
}
