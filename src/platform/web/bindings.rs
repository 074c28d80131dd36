//! The globals and members that `web-sys` has not, or only with an exception that is not caught.
// What the macro generates is not written by us.
#![allow(unsafe_code)]

use js_sys::{Array, Function, Object, Promise, Uint32Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    pub(super) fn now() -> f64;

    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues, catch)]
    pub(super) fn random_values(array: &Uint32Array) -> Result<JsValue, JsValue>;

    // The namespace makes the global the receiver. A mock may give anything.
    #[wasm_bindgen(js_namespace = globalThis, js_name = fetch, catch)]
    pub(super) fn fetch(url: &str, init: &Object) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = Promise, js_name = resolve, catch)]
    pub(super) fn promise_of(value: &JsValue) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = Array, js_name = from, catch)]
    pub(super) fn list_of(value: &JsValue) -> Result<Array, JsValue>;

    #[wasm_bindgen(js_name = String, catch)]
    pub(super) fn text_of(value: &JsValue) -> Result<String, JsValue>;

    #[wasm_bindgen(js_name = setTimeout)]
    pub(super) fn set_timeout(callback: &Function, ms: f64) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    pub(super) fn clear_timeout(timer: &JsValue);

    pub(super) type Locks;

    #[wasm_bindgen(method, catch)]
    pub(super) fn request(this: &Locks, name: &str, options: &Object, granted: &Function) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub(super) fn query(this: &Locks) -> Result<JsValue, JsValue>;

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
    pub(super) fn port(this: &Url) -> String;

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
    pub(super) fn cancel(this: &Cancel) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, js_name = cancel, catch)]
    pub(super) fn cancel_with(this: &Cancel, reason: &JsValue) -> Result<JsValue, JsValue>;

    /// What has `get`: the headers of a response.
    pub(super) type Fields;

    #[wasm_bindgen(method, catch)]
    pub(super) fn get(this: &Fields, name: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = Uint8Array)]
    pub(super) type Bytes;

    #[wasm_bindgen(constructor, js_class = "Uint8Array", catch)]
    pub(super) fn new(buffer: &JsValue, offset: u32, length: u32) -> Result<Bytes, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub(super) fn slice(this: &Bytes) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = URLSearchParams)]
    pub(super) type Query;

    #[wasm_bindgen(constructor, js_class = "URLSearchParams", catch)]
    pub(super) fn new(pairs: &JsValue) -> Result<Query, JsValue>;

    #[wasm_bindgen(js_name = FormData)]
    pub(super) type Form;

    #[wasm_bindgen(constructor, js_class = "FormData", catch)]
    pub(super) fn new() -> Result<Form, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub(super) fn append(this: &Form, name: &JsValue, value: &JsValue) -> Result<(), JsValue>;

    #[wasm_bindgen(js_name = TextDecoder)]
    pub(super) type Decoder;

    #[wasm_bindgen(constructor, js_class = "TextDecoder", catch)]
    pub(super) fn new(label: &str) -> Result<Decoder, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub(super) fn decode(this: &Decoder, bytes: &[u8]) -> Result<String, JsValue>;

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
    pub(super) fn array_buffer(this: &File) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = ReadableStream)]
    pub(super) type Stream;

    #[cfg(feature = "testing")]
    #[wasm_bindgen(constructor, js_class = "ReadableStream", catch)]
    pub(super) fn new(source: &Object) -> Result<Stream, JsValue>;

    #[cfg(feature = "stream")]
    #[wasm_bindgen(constructor, js_class = "ReadableStream", catch)]
    pub(super) fn with_strategy(source: &Object, strategy: &Object) -> Result<Stream, JsValue>;

    /// What a stream gives to its source.
    #[cfg(any(feature = "testing", feature = "stream"))]
    pub(super) type StreamController;

    #[cfg(any(feature = "testing", feature = "stream"))]
    #[wasm_bindgen(method, catch)]
    pub(super) fn enqueue(this: &StreamController, chunk: &JsValue) -> Result<(), JsValue>;

    #[cfg(feature = "stream")]
    #[wasm_bindgen(method, catch)]
    pub(super) fn close(this: &StreamController) -> Result<(), JsValue>;

    #[cfg(any(feature = "testing", feature = "stream"))]
    #[wasm_bindgen(method, catch)]
    pub(super) fn error(this: &StreamController, reason: &JsValue) -> Result<(), JsValue>;

    #[cfg(feature = "testing")]
    #[wasm_bindgen(js_name = Response)]
    pub(super) type Response;

    #[cfg(feature = "testing")]
    #[wasm_bindgen(constructor, js_class = "Response", catch)]
    pub(super) fn new(body: &JsValue, init: &Object) -> Result<Response, JsValue>;

    #[wasm_bindgen(method, js_name = getReader, catch)]
    pub(super) fn reader(this: &Stream) -> Result<Reader, JsValue>;

    #[derive(Clone)]
    pub(super) type Reader;

    #[wasm_bindgen(method, catch)]
    pub(super) fn read(this: &Reader) -> Result<JsValue, JsValue>;
}
