//! What long downloads leave behind.
#![cfg(target_family = "wasm")]

use js_sys::{ArrayBuffer, WebAssembly};
use steadfetch::Client;
use steadfetch_browser_tests::{Patch, evaluate};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

const MIB: u64 = 1 << 20;

/// How much memory this wasm has.
fn memory() -> u64 {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    memory.buffer().unchecked_into::<ArrayBuffer>().byte_length().into()
}

/// A server of so many MiB for every request, a MiB a chunk.
fn server(mib: u64) -> Patch {
    Patch::new(
        "fetch",
        &format!(
            "return async () => {{
               let left = {mib};
               const pull = (controller) => {{
                 if (left-- > 0) controller.enqueue(new Uint8Array(1 << 20));
                 else controller.close();
               }};
               return new Response(new ReadableStream({{ pull }}, {{ highWaterMark: 0 }}));
             }}"
        ),
    )
}

async fn download(api: &Client) -> u64 {
    let mut response = api.get("https://api.example.test/").on_download_progress(|_| ()).send().await.unwrap();
    let mut bytes = 0;
    while let Some(chunk) = response.chunk().await.unwrap() {
        bytes += chunk.len() as u64;
    }
    bytes
}

#[wasm_bindgen_test]
async fn d11_n16_what_is_read_in_chunks_is_neither_copied_nor_kept() {
    evaluate(
        "(() => {
           const { clone } = Response.prototype;
           globalThis.steadfetchTestCopies = 0;
           globalThis.steadfetchTestRestore = () => { Response.prototype.clone = clone; };
           Response.prototype.clone = function () {
             globalThis.steadfetchTestCopies += 1;
             return clone.call(this);
           };
         })()",
    );
    let api = Client::builder().max_response_bytes(1 << 30).on_event(|_| ()).build().unwrap();
    let network = server(10);
    // The first makes the engine, and room for a chunk.
    assert_eq!(download(&api).await, 10 * MIB);
    let before = memory();
    for _ in 0..20 {
        assert_eq!(download(&api).await, 10 * MIB);
    }
    drop(network);
    let network = server(200);
    assert_eq!(download(&api).await, 200 * MIB);
    drop(network);
    evaluate("globalThis.steadfetchTestRestore()");
    let grown = memory() - before;
    assert!(grown < MIB, "{grown} bytes more");
    assert_eq!(evaluate("globalThis.steadfetchTestCopies"), 0);
}
