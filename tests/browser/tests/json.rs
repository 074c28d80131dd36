//! JSON in a page is what it is on a server.
#![cfg(target_family = "wasm")]

use std::collections::BTreeMap;

use serde_json::Value;
use steadfetch::{Client, ErrorKind};
use steadfetch_browser_tests::{Patch, evaluate};
use wasm_bindgen_test::wasm_bindgen_test;

mod api {
    pub(super) use steadfetch::{Error, Response};
}

#[path = "../../vectors/json.rs"]
mod corpus;

const URL: &str = "https://api.example.test/";

#[wasm_bindgen_test]
async fn a_document_is_read_as_on_every_target() {
    let network = Patch::new("fetch", "return async () => new Response(globalThis.steadfetchTestText);");
    let api = Client::new();
    for row in corpus::rows() {
        let text = serde_json::to_string(&corpus::text_of(&row)).unwrap();
        evaluate(&format!("globalThis.steadfetchTestText = {text}"));
        corpus::check(&row, api.get(URL).send().await.unwrap()).await;
    }
    drop(network);
}

#[wasm_bindgen_test]
async fn a_value_is_written_as_on_every_target() {
    let network = Patch::new("fetch", "return async (url, init) => new Response(init.body);");
    let api = Client::new();
    let rows: [(Value, &str); 4] = [
        (u64::MAX.into(), "18446744073709551615"),
        (serde_json::json!({ "__proto__": 1 }), "{\"__proto__\":1}"),
        (serde_json::json!([1.0, -0.0, 0.1]), "[1.0,-0.0,0.1]"),
        ("\u{2028}\u{1f600}\"".into(), "\"\u{2028}\u{1f600}\\\"\""),
    ];
    for (value, text) in rows {
        let sent = async { api.post(URL).json(&value).send().await?.text().await }.await;
        assert_eq!(sent.as_deref(), Ok(text));
    }
    let keyed: BTreeMap<u8, f32> = [(2, f32::NAN), (10, 0.5)].into();
    let sent = async { api.post(URL).json(&keyed).send().await?.text().await }.await;
    assert_eq!(sent.as_deref(), Ok("{\"2\":null,\"10\":0.5}"));
    let bad = BTreeMap::from([((1, 2), 3)]);
    assert_eq!(api.post(URL).json(&bad).send().await.unwrap_err().kind(), ErrorKind::InvalidOption);
    drop(network);
}

#[wasm_bindgen_test]
async fn an_error_crosses_to_javascript_as_data() {
    let network = Patch::new("fetch", "return async () => new Response('S3CRET', { status: 404 });");
    let error = Client::new().get(URL).send().await.unwrap_err();
    drop(network);
    let metrics = Client::new().metrics().to_js();
    assert_eq!(js_sys::Reflect::get(&metrics, &"calls".into()).unwrap().as_f64(), Some(0.0));
    js_sys::Reflect::set(&js_sys::global(), &"steadfetchTestError".into(), &error.to_js()).unwrap();
    let text = evaluate("JSON.stringify(structuredClone(globalThis.steadfetchTestError))").as_string().unwrap();
    let data: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&data["code"], &data["status"]), (&"HTTP_ERROR".into(), &404.into()));
    assert_eq!(data["attempts"][0]["outcome"], "answered");
    assert!(!text.contains("S3CRET"));
}
