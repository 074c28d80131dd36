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

/// Which one this is.
#[must_use]
pub fn engine() -> Engine {
    let global = js_sys::global();
    let get = |object: &JsValue, name: &str| Reflect::get(object, &name.into()).unwrap_or_default();
    let agent = get(&get(&global, "navigator"), "userAgent").as_string().unwrap_or_default();
    if !get(&get(&global, "process"), "versions").is_falsy() {
        "node"
    } else if agent.contains("Firefox/") {
        "firefox"
    } else if agent.contains("Chrome/") {
        "chromium"
    } else {
        "webkit"
    }
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
