use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use http::{Request, StatusCode};

use super::sim::{Answer, client, ok, requests, run};
use crate::transport::Response;

#[test]
fn a_request_of_the_http_crate_is_sent_as_it_is() {
    let api = client(vec![ok("")]).header("Accept", "text/html").build().unwrap();
    let request = Request::patch("https://other.test/b?c=d")
        .header(ACCEPT, "text/csv")
        .header(ACCEPT, "text/plain;q=0.5")
        .header(CONTENT_TYPE, "application/x")
        .body("body");
    run(api.from_http(request.unwrap()).send()).unwrap();
    let sent = requests().remove(0);
    assert_eq!((sent.method(), sent.url(), sent.body()), ("PATCH", "https://other.test/b?c=d", Some(&b"body"[..])));
    assert_eq!(sent.header("accept"), Some("text/csv, text/plain;q=0.5"));
    assert_eq!(sent.header("content-type"), Some("application/x"));
}

#[test]
fn a_request_without_body_may_be_a_get() {
    let api = client(vec![ok("")]).build().unwrap();
    run(api.from_http(Request::get("/a").body(()).unwrap()).send()).unwrap();
    let sent = requests().remove(0);
    assert_eq!((sent.method(), sent.url(), sent.body()), ("GET", "https://api.test/a", None));
}

#[test]
fn headers_and_status_of_an_answer_have_the_types_of_the_http_crate() {
    let answer = Response::new(404).with_header("X-Name", "caf\u{e9}").with_header("X-Name", "b");
    let api = client(vec![Answer::Response(0, answer)]).throw_http_errors(false).build().unwrap();
    let response = run(api.get("a").header_map(&HeaderMap::new()).send()).unwrap();
    assert_eq!(response.status_code().unwrap(), StatusCode::NOT_FOUND);
    let map = response.header_map();
    let values: Vec<&[u8]> = map.get_all("x-name").iter().map(HeaderValue::as_bytes).collect();
    assert_eq!(values, [&b"caf\xe9"[..], b"b"]);
}
