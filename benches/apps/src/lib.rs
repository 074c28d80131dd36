//! The smallest app that is of any use: it exports one function, which makes a GET.

use wasm_bindgen::prelude::*;

#[cfg(feature = "struct")]
#[derive(serde::Deserialize)]
struct User {
    id: u32,
    name: String,
    email: Option<String>,
}

#[cfg(feature = "struct")]
impl User {
    fn line(self) -> String {
        let id = if self.id > 0 { "known " } else { "new " };
        [id, &self.name, self.email.as_deref().unwrap_or_default()].concat()
    }
}

#[cfg(all(feature = "steadfetch", feature = "text"))]
async fn fetch(url: String) -> Result<String, steadfetch::Error> {
    steadfetch::Client::new().get(url).send().await?.text().await
}

#[cfg(all(feature = "steadfetch", feature = "struct"))]
async fn fetch(url: String) -> Result<String, steadfetch::Error> {
    Ok(steadfetch::Client::new().get(url).send().await?.json::<User>().await?.line())
}

#[cfg(all(feature = "gloo-net", feature = "text"))]
async fn fetch(url: String) -> Result<String, gloo_net::Error> {
    gloo_net::http::Request::get(&url).send().await?.text().await
}

#[cfg(all(feature = "gloo-net", feature = "struct"))]
async fn fetch(url: String) -> Result<String, gloo_net::Error> {
    Ok(gloo_net::http::Request::get(&url).send().await?.json::<User>().await?.line())
}

#[cfg(all(feature = "reqwest", feature = "text"))]
async fn fetch(url: String) -> Result<String, reqwest::Error> {
    reqwest::Client::new().get(url).send().await?.text().await
}

#[cfg(all(feature = "reqwest", feature = "struct"))]
async fn fetch(url: String) -> Result<String, reqwest::Error> {
    Ok(reqwest::Client::new().get(url).send().await?.json::<User>().await?.line())
}

/// The body; errors by their message.
#[wasm_bindgen]
pub async fn get(url: String) -> Result<String, JsError> {
    fetch(url).await.map_err(|error| JsError::new(&error.to_string()))
}
