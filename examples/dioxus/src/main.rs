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
    match &*loaded.read() {
        _ if loaded.pending() => rsx! { p { "Loading…" } },
        None => rsx! { p { "Loading…" } },
        Some(Err(error)) => rsx! { p { {explain(error)} } },
        Some(Ok(products)) => rsx! { ul { for product in products { li { "{product.name}" } } } },
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
