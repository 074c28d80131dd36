//! A list whose request is aborted when it is unmounted, and an order.

mod shop;

use dioxus::prelude::*;
use shop::{client, explain, load, order};
use steadfetch::Client;

#[component]
fn List(name: ReadSignal<&'static str>) -> Element {
    let api = use_context::<Client>();
    // Another name, or the unmount, drops the future, which aborts the request.
    let loaded = use_resource(move || load(api.clone(), name()));
    // While another list loads, the resource still holds the one before.
    let ready = *loaded.state().read() == UseResourceState::Ready;
    match &*loaded.read() {
        Some(Ok(products)) if ready => rsx! { ul { for product in products { li { "{product.name}" } } } },
        Some(Err(error)) if ready => rsx! { p { {explain(error)} } },
        _ => rsx! { p { "Loading…" } },
    }
}

#[component]
fn App() -> Element {
    let api = use_context_provider(client);
    let mut shown = use_signal(|| None);
    let mut note = use_signal(String::new);
    let place = move |_| {
        let api = api.clone();
        async move {
            note.set("Ordering…".into());
            note.set(order(api).await);
        }
    };
    rsx! {
        nav {
            for name in ["tea", "coffee", "cocoa"] {
                button { onclick: move |_| shown.set(Some(name)), "{name}" }
            }
            button { onclick: move |_| shown.set(None), "close" }
        }
        if let Some(name) = shown() {
            List { name }
        }
        button { id: "order", onclick: place, disabled: note() == "Ordering…", "Order" }
        output { "{note}" }
    }
}

fn main() {
    dioxus::launch(App);
}
