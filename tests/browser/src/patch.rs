//! Globals replaced for the length of a test.

use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// A member of the global object that is another one until this is dropped.
#[derive(Debug)]
pub struct Patch {
    name: &'static str,
    original: JsValue,
}

impl Patch {
    /// Replaces a global by what the body of a function returns. `original` is the one that it replaces, bound.
    #[must_use]
    pub fn new(name: &'static str, body: &str) -> Self {
        let global = js_sys::global();
        let original = Reflect::get(&global, &name.into()).expect("a global");
        let bound = original.unchecked_ref::<Function>().bind0(&global);
        let made = Function::new_with_args("original", body).call1(&global, &bound).expect("a replacement");
        Reflect::set(&global, &name.into(), &made).expect("a global that can be replaced");
        Self { name, original }
    }
}

impl Drop for Patch {
    fn drop(&mut self) {
        let _ = Reflect::set(&js_sys::global(), &self.name.into(), &self.original);
    }
}

/// What a piece of JavaScript evaluates to.
pub fn evaluate(code: &str) -> JsValue {
    Function::new_no_args(&["return ", code].concat()).call0(&JsValue::UNDEFINED).expect("code that does not throw")
}
