//! A list whose request is aborted when it is unmounted, and an order.

mod shop;

use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;
use shop::{Product, client, explain, load, order};
use steadfetch::Client;

#[component]
fn List(name: &'static str) -> impl IntoView {
    let api = expect_context::<Client>();
    let loaded = RwSignal::new(None);
    // Ends the task on unmount, which drops the future, which aborts the request. A resource would not: it runs each
    // of its futures to the end.
    spawn_local_scoped_with_cancellation(async move { loaded.set(Some(load(api, name).await)) });
    move || {
        loaded.with(|loaded| match loaded {
            None => view! { <p>"Loading…"</p> }.into_any(),
            Some(Err(error)) => view! { <p>{explain(error)}</p> }.into_any(),
            Some(Ok(products)) => {
                let item = |product: &Product| view! { <li>{product.name.clone()}</li> };
                view! { <ul>{products.iter().map(item).collect_view()}</ul> }.into_any()
            }
        })
    }
}

#[component]
fn App() -> impl IntoView {
    let api = client();
    provide_context(api.clone());
    let shown = RwSignal::new(None);
    let place = Action::new_local(move |(): &()| order(api.clone()));
    let note = move || if place.pending().get() { Some("Ordering…".into()) } else { place.value().get() };
    let choice = |name| view! { <button on:click=move |_| shown.set(Some(name))>{name}</button> };
    view! {
        <nav>
            {["tea", "coffee", "cocoa"].map(choice)}
            <button on:click=move |_| shown.set(None)>"close"</button>
        </nav>
        {move || shown.get().map(|name| view! { <List name /> })}
        <button id="order" on:click=move |_| { place.dispatch(()); } disabled=place.pending()>"Order"</button>
        <output>{note}</output>
    }
}

fn main() {
    leptos::mount::mount_to_body(App);
}
