use std::time::Duration;

use super::sim::{Answer, client, ok, requests, run};
use crate::transport::Response;
use crate::{Client, Credentials, ErrorKind, Outcome, Retry};

#[test]
fn a_wrong_option_is_named_where_the_client_is_built() {
    let built = [
        (Client::builder().timeout(Duration::ZERO), "timeout"),
        (Client::builder().total_timeout(Duration::from_micros(1)), "total_timeout"),
        (Client::builder().max_response_bytes(0), "max_response_bytes"),
        (Client::builder().base_url("not a url"), "base_url"),
        (Client::builder().base_url("data:text/plain,"), "base_url"),
        (Client::builder().base_url("localhost:4510/v1"), "base_url: a URL that begins with http://"),
        (Client::builder().base_url("127.0.0.1:80"), "base_url: a URL that begins with http://"),
        (Client::builder().retry(Retry::new().status_codes([42])), "retry.status_codes"),
    ];
    for (builder, name) in built {
        let error = builder.build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidOption);
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn a_wrong_option_of_a_call_sends_nothing() {
    let api = client(vec![]).build().unwrap();
    let error = run(api.get("a").idle_timeout(Duration::ZERO).send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidOption, Outcome::NotSent));
    assert_eq!(requests().len(), 0);
}

#[test]
fn a_wrong_request_sends_nothing() {
    let api = client(vec![]).build().unwrap();
    let error = run(api.get("https://joe:S3CRET@api.test/").send()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert!(!format!("{error} {error:?}").contains("S3CRET"));
    let error = run(api.get("a").body("x").send()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    let error = run(api.post("a").body(vec![0; 65_537]).keepalive(true).send()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
}

#[test]
fn a_base_url_of_a_page_is_taken_without_one_and_its_calls_say_what_is_missing() {
    let api = client(vec![ok("")]).base_url("/api").build().unwrap();
    let error = run(api.get("users").send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidRequest, Outcome::NotSent));
    assert!(error.to_string().contains("base_url is relative, and there is no page: give an absolute one"), "{error}");
    run(api.get("https://api.test/").send()).unwrap();
}

#[test]
fn a_header_that_cannot_be_sent_is_named_without_its_value() {
    let api = client(vec![]).build().unwrap();
    let error = run(api.get("a").header("X-Key", "S3CRET\nx").send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidRequest, Outcome::NotSent));
    assert!(error.to_string().contains("header X-Key: its value has a line break"), "{error}");
    let other = run(api.get("a").header("S3CRET: a", "b").send()).unwrap_err();
    assert_eq!(other.kind(), ErrorKind::InvalidRequest);
    assert!(!format!("{error} {error:?} {other} {other:?}").contains("S3CRET"));
    assert_eq!(requests().len(), 0);
}

#[test]
fn without_a_transport_there_is_no_fetch() {
    let error = run(Client::new().get("https://api.test/").send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Unsupported, Outcome::NotSent));
}

#[test]
fn client_and_call_are_merged() {
    let api = client(vec![ok(""), ok("")])
        .header("X-A", "client")
        .header("X-B", "client")
        .query([("v", "1")])
        .credentials(Credentials::Include)
        .build()
        .unwrap();
    let api = api.extend().header("X-C", "view").build().unwrap();
    run(api.get("a?b#c").header("x-a", "call").without_header("x-b").query([("n", 2)]).send()).unwrap();
    let request = &requests()[0];
    assert_eq!(request.url(), "https://api.test/v1/a?b&n=2#c", "the call's query in place of the client's");
    assert_eq!(request.header("X-A"), Some("call"));
    assert_eq!(request.header("X-B"), None);
    assert_eq!(request.header("X-C"), Some("view"));
    assert_eq!(request.init().collect::<Vec<_>>(), [("credentials", "include")]);
    run(api.get("a").send()).unwrap();
    assert_eq!(requests()[1].url(), "https://api.test/v1/a?v=1");
}

#[test]
fn methods_are_made_upper_case() {
    let api = client(vec![ok(""), ok("")]).build().unwrap();
    run(api.request("patch", "a").send()).unwrap();
    run(api.request("purge", "a").send()).unwrap();
    assert_eq!(requests().iter().map(|request| request.method().to_owned()).collect::<Vec<_>>(), ["PATCH", "purge"]);
}

#[test]
fn an_error_status_can_be_a_response() {
    let missing = || Answer::Response(0, Response::new(404).with_body("no"));
    let api = client(vec![missing(), missing(), missing(), missing()]).build().unwrap();
    let error = run(api.get("a").throw_http_errors(false).send()).unwrap().error_for_status().unwrap_err();
    assert_eq!((error.kind(), error.status(), error.outcome()), (ErrorKind::Http, Some(404), Outcome::Answered));
    let response = run(api.get("a").throw_http_errors(false).send()).unwrap();
    assert_eq!((response.status(), response.ok()), (404, false));
    assert_eq!(run(response.text()).unwrap(), "no");
    assert!(run(api.get("a").throw_http_errors_for(|status| status >= 500).send()).is_ok());
    assert!(run(api.get("a").throw_http_errors_for(|status| status >= 400).send()).is_err());
}

#[test]
fn a_form_is_a_form() {
    let api = client(vec![ok("")]).build().unwrap();
    run(api.post("a").form([("q", "a b"), ("r", "&")]).send()).unwrap();
    assert_eq!(requests()[0].body(), Some(&b"q=a+b&r=%26"[..]));
    assert_eq!(requests()[0].header("content-type"), Some("application/x-www-form-urlencoded;charset=UTF-8"));
}

#[test]
fn handles_can_be_shared() {
    fn assert_shareable<T: Send + Sync + Clone + 'static>() {}
    assert_shareable::<Client>();
    assert_shareable::<Retry>();
}
