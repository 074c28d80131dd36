//! The globals and members that `web-sys` has not, or only with an exception that is not caught.
// What the macro generates is not written by us.
#![allow(unsafe_code)]

use js_sys::{Function, Object, Promise, Uint32Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    pub(super) fn now() -> f64;

    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues, catch)]
    pub(super) fn random_values(array: &Uint32Array) -> Result<JsValue, JsValue>;

    // The namespace makes the global the receiver.
    #[wasm_bindgen(js_namespace = globalThis, js_name = fetch, catch)]
    pub(super) fn fetch(url: &str, init: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_name = setTimeout)]
    pub(super) fn set_timeout(callback: &Function, ms: f64) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    pub(super) fn clear_timeout(timer: &JsValue);

    pub(super) type Locks;

    #[wasm_bindgen(method, catch)]
    pub(super) fn request(this: &Locks, name: &str, options: &Object, granted: &Function) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub(super) fn query(this: &Locks) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_name = Request)]
    pub(super) type Request;

    #[wasm_bindgen(constructor, js_class = "Request", catch)]
    pub(super) fn new(url: &str, init: &Object) -> Result<Request, JsValue>;

    #[derive(Clone)]
    #[wasm_bindgen(js_name = AbortController)]
    pub(super) type AbortController;

    #[wasm_bindgen(constructor, js_class = "AbortController")]
    pub(super) fn new() -> AbortController;

    #[wasm_bindgen(method, getter)]
    pub(super) fn signal(this: &AbortController) -> JsValue;

    #[wasm_bindgen(method)]
    pub(super) fn abort(this: &AbortController);

    #[wasm_bindgen(js_name = URL)]
    pub(super) type Url;

    #[wasm_bindgen(constructor, js_class = "URL", catch)]
    pub(super) fn new(url: &str, base: Option<&str>) -> Result<Url, JsValue>;

    #[wasm_bindgen(method, getter)]
    pub(super) fn href(this: &Url) -> String;

    #[wasm_bindgen(method, getter)]
    pub(super) fn protocol(this: &Url) -> String;

    #[wasm_bindgen(method, getter)]
    pub(super) fn username(this: &Url) -> String;

    #[wasm_bindgen(method, getter)]
    pub(super) fn password(this: &Url) -> String;

    #[wasm_bindgen(method, getter)]
    pub(super) fn origin(this: &Url) -> String;

    #[wasm_bindgen(method, getter)]
    pub(super) fn pathname(this: &Url) -> String;

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_pathname(this: &Url, path: &str);

    pub(super) type EventTarget;

    #[wasm_bindgen(method, js_name = addEventListener, catch)]
    pub(super) fn listen(this: &EventTarget, name: &str, listener: &Function) -> Result<(), JsValue>;

    #[wasm_bindgen(method, js_name = removeEventListener, catch)]
    pub(super) fn unlisten(this: &EventTarget, name: &str, listener: &Function) -> Result<(), JsValue>;

    /// What has `cancel`: a stream or its reader.
    pub(super) type Cancel;

    #[wasm_bindgen(method, catch)]
    pub(super) fn cancel(this: &Cancel) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, js_name = cancel, catch)]
    pub(super) fn cancel_with(this: &Cancel, reason: &JsValue) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_name = TransformStream)]
    pub(super) type TransformStream;

    #[wasm_bindgen(constructor, js_class = "TransformStream", catch)]
    pub(super) fn new(transformer: &Object) -> Result<TransformStream, JsValue>;

    #[wasm_bindgen(method, js_name = pipeThrough, catch)]
    pub(super) fn pipe_through(this: &Stream, through: &TransformStream) -> Result<JsValue, JsValue>;

    /// What a transform stream gives to its `start`.
    pub(super) type TransformController;

    #[wasm_bindgen(method, catch)]
    pub(super) fn error(this: &TransformController, reason: &JsValue) -> Result<(), JsValue>;

    /// A `Blob` or `File`.
    pub(super) type File;

    #[wasm_bindgen(method, catch)]
    pub(super) fn slice(this: &File, start: u32, end: u32) -> Result<File, JsValue>;

    #[wasm_bindgen(method, js_name = arrayBuffer, catch)]
    pub(super) fn array_buffer(this: &File) -> Result<Promise, JsValue>;

    pub(super) type Stream;

    #[wasm_bindgen(method, js_name = getReader, catch)]
    pub(super) fn reader(this: &Stream) -> Result<Reader, JsValue>;

    #[derive(Clone)]
    pub(super) type Reader;

    #[wasm_bindgen(method, catch)]
    pub(super) fn read(this: &Reader) -> Result<Promise, JsValue>;

    /// What a read gives.
    pub(super) type Piece;

    #[wasm_bindgen(method, getter)]
    pub(super) fn done(this: &Piece) -> bool;

    #[wasm_bindgen(method, getter)]
    pub(super) fn value(this: &Piece) -> JsValue;
}
