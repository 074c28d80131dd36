//! The platform by hand, beside the library that is tested.

use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// The platform's clock, in milliseconds.
    #[wasm_bindgen(js_namespace = performance)]
    pub fn now() -> f64;

    #[wasm_bindgen(js_namespace = globalThis, js_name = fetch)]
    fn fetch(url: &str, init: &Object) -> Promise;

    type Response;

    #[wasm_bindgen(method, getter)]
    fn status(this: &Response) -> u16;

    #[wasm_bindgen(method)]
    fn text(this: &Response) -> Promise;
}

/// An engine as the scenarios name it.
pub type Engine = &'static str;

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or_default()
}

/// Which one this is. Deno and Bun are to do what Node does, and are called so.
#[must_use]
pub fn engine() -> Engine {
    let global = js_sys::global();
    let agent = get(&get(&global, "navigator"), "userAgent").as_string().unwrap_or_default();
    if runtime().is_some() {
        "node"
    } else if agent.contains("Firefox/") {
        "firefox"
    } else if agent.contains("Chrome/") {
        "chromium"
    } else {
        "webkit"
    }
}

/// Which of the runtimes without pages this is, if it is one.
#[must_use]
pub fn runtime() -> Option<&'static str> {
    let versions = get(&get(&js_sys::global(), "process"), "versions");
    // The others have the version of Node too that they are like.
    ["deno", "bun", "node"].into_iter().find(|name| versions.is_object() && get(&versions, name).is_string())
}

/// Waits.
pub async fn sleep(ms: u32) {
    gloo_timers::future::TimeoutFuture::new(ms).await;
}

/// The platform's fetch, and its status and text.
///
/// # Errors
/// What the platform rejects with.
pub async fn bare_fetch(method: &str, url: &str, body: Option<&str>) -> Result<(u16, String), JsValue> {
    let init = Object::new();
    Reflect::set(&init, &"method".into(), &method.into())?;
    Reflect::set(&init, &"cache".into(), &"no-store".into())?;
    if let Some(body) = body {
        Reflect::set(&init, &"body".into(), &body.into())?;
    }
    let response: Response = JsFuture::from(fetch(url, &init)).await?.unchecked_into();
    let text = JsFuture::from(response.text()).await?;
    Ok((response.status(), text.as_string().unwrap_or_default()))
}
