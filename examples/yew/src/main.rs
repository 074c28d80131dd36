//! A list whose request is aborted when it is unmounted, and an order.

mod shop;

use futures_util::future::abortable;
use shop::{client, explain, load, order};
use steadfetch::Client;
use yew::platform::spawn_local;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
struct ListProps {
    name: &'static str,
}

#[component]
fn List(&ListProps { name }: &ListProps) -> Html {
    let api = use_context::<Client>().expect("App provides the client");
    let loaded = use_state(|| None);
    let result = loaded.setter();
    use_effect_with((), move |()| {
        let (load, handle) = abortable(async move { load(api, name).await });
        spawn_local(async move {
            if let Ok(loaded) = load.await {
                result.set(Some(loaded));
            }
        });
        // On unmount. It ends the task, which drops the future, which aborts the request.
        move || handle.abort()
    });
    match &*loaded {
        None => html! { <p>{ "Loading…" }</p> },
        Some(Err(error)) => html! { <p>{ explain(error) }</p> },
        Some(Ok(products)) => {
            html! { <ul>{ for products.iter().map(|product| html! { <li>{ &product.name }</li> }) }</ul> }
        }
    }
}

#[component]
fn App() -> Html {
    let api = use_memo((), |()| client());
    let shown = use_state(|| None);
    let note = use_state(String::new);
    let show = |name: Option<&'static str>| {
        let shown = shown.setter();
        Callback::from(move |_: MouseEvent| shown.set(name))
    };
    let place = {
        let (api, note) = (api.clone(), note.setter());
        Callback::from(move |_: MouseEvent| {
            let (api, note) = ((*api).clone(), note.clone());
            note.set("Ordering…".into());
            spawn_local(async move { note.set(order(api).await) });
        })
    };
    html! {
        <ContextProvider<Client> context={(*api).clone()}>
            <nav>
                { for ["tea", "coffee", "cocoa"].map(|name| html! { <button onclick={show(Some(name))}>{ name }</button> }) }
                <button onclick={show(None)}>{ "close" }</button>
            </nav>
            if let Some(name) = *shown {
                <List key={name} {name} />
            }
            <button id="order" onclick={place} disabled={*note == "Ordering…"}>{ "Order" }</button>
            <output>{ &*note }</output>
        </ContextProvider<Client>>
    }
}

fn main() {
    yew::Renderer::<App>::new().render();
}
