//! What users of other clients reach for: pairs by serde, credentials, copies of requests, `await` without `send`.

use std::cell::Cell;
use std::rc::Rc;

use super::sim::{Answer, client, ok, requests, run, status};
use crate::multipart::{Form, Part};
use crate::transport::Response;
use crate::{CircuitState, Credentials, ErrorKind, Hint, Limit, Outcome, Phase, Priority, RetryStopped};

const SECOND: std::time::Duration = std::time::Duration::from_secs(1);

fn url(index: usize) -> String {
    requests()[index].url().to_owned()
}

#[cfg(feature = "json")]
#[expect(clippy::needless_borrows_for_generic_args, reason = "both are to compile")]
mod pairs {
    use std::collections::{BTreeMap, HashMap};

    use serde::Serialize;

    use super::*;

    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    enum Order {
        NewestFirst,
        #[expect(dead_code)]
        Other,
    }

    #[derive(Serialize)]
    struct Id(u32);

    #[derive(Serialize)]
    struct Search<'a> {
        q: &'a str,
        page: Id,
        exact: bool,
        tags: Vec<&'a str>,
        order: Order,
        after: Option<&'a str>,
        before: Option<char>,
        none: (),
        factor: f64,
    }

    const SEARCH: Search<'_> = Search {
        q: "green tea",
        page: Id(2),
        exact: true,
        tags: Vec::new(),
        order: Order::NewestFirst,
        after: None,
        before: Some('b'),
        none: (),
        factor: 0.5,
    };
    const WRITTEN: &str = "q=green+tea&page=2&exact=true&tags=a&tags=b&order=newest-first&before=b&factor=0.5";

    fn search() -> Search<'static> {
        Search { tags: vec!["a", "b"], ..SEARCH }
    }

    #[test]
    fn a_struct_of_serde_is_a_query_and_a_form() {
        let api = client(vec![ok(""), ok("")]).build().unwrap();
        run(api.get("a?x=1").query(&search()).send()).unwrap();
        run(api.post("a").form(&search()).send()).unwrap();
        assert_eq!(url(0), format!("https://api.test/v1/a?x=1&{WRITTEN}"));
        assert_eq!(requests()[1].body(), Some(WRITTEN.as_bytes()));
        assert_eq!(requests()[1].header("content-type"), Some("application/x-www-form-urlencoded;charset=UTF-8"));
    }

    #[test]
    fn pairs_are_written_the_same_whether_serde_has_them_or_not() {
        let api = client((0..8).map(|_| ok("")).collect()).build().unwrap();
        run(async {
            api.get("a").query([("a", 1), ("b", 2)]).await.unwrap();
            api.get("a").query(&[("a", 1), ("b", 2)]).await.unwrap();
            api.get("a").query(vec![("a", "1"), ("b", "2")]).await.unwrap();
            api.get("a").query(&vec![("a".to_owned(), 1), ("b".to_owned(), 2)]).await.unwrap();
            api.get("a").query(BTreeMap::from([("a", 1), ("b", 2)])).await.unwrap();
            api.get("a").query(&BTreeMap::from([("a", 1), ("b", 2)])).await.unwrap();
            api.get("a").query(HashMap::from([("a", 1)])).query(&(("b", 2),)).await.unwrap();
            api.get("a").query(&Some([["a", "1"], ["b", "2"]])).await.unwrap();
        });
        for index in 0..8 {
            assert_eq!(url(index), "https://api.test/v1/a?a=1&b=2", "{index}");
        }
    }

    #[test]
    fn what_has_no_pairs_is_refused_before_anything_is_sent() {
        let api = client(Vec::new()).build().unwrap();
        let nested = HashMap::from([("a", HashMap::from([("b", 1)]))]);
        let deep = BTreeMap::from([("0", vec![vec![1]])]);
        let calls = [
            api.get("a").query(&1),
            api.get("a").query("a=b"),
            api.get("a").query(&["a", "b"]),
            api.get("a").query(&[["a", "b", "c"]]),
            api.get("a").query(&[["a"]]),
            api.get("a").query(&nested),
            api.get("a").query(&deep),
        ];
        for call in calls {
            let error = run(call.send()).unwrap_err();
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidOption, Outcome::NotSent));
            assert!(error.to_string().contains("query: give pairs, a map or a struct"), "{error}");
        }
        let error = run(api.post("a").form(&nested).send()).unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidOption, Outcome::NotSent));
        assert!(error.to_string().contains("form: give pairs"), "{error}");
        let error = client(Vec::new()).query(&nested).build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidOption);
        assert!(requests().is_empty());
    }

    #[test]
    fn a_body_replaces_a_form_that_has_no_pairs() {
        let api = client(vec![ok("")]).build().unwrap();
        run(api.post("a").form(&1).form([("a", "b")]).send()).unwrap();
        assert_eq!(requests()[0].body(), Some(&b"a=b"[..]));
    }
}

#[test]
fn credentials_of_a_call_are_sent_in_place_of_those_of_its_client() {
    let api = client((0..4).map(|_| ok("")).collect()).header("authorization", "client").build().unwrap();
    run(async {
        api.get("a").bearer_auth("t0ken").await.unwrap();
        api.get("a").basic_auth("Aladdin", Some("open sesame")).await.unwrap();
        api.get("a").basic_auth(7, None::<&str>).await.unwrap();
        api.get("a").basic_auth("a", None::<&str>).bearer_auth("last").await.unwrap();
    });
    let sent: Vec<_> = requests().iter().map(|request| request.header("Authorization").unwrap().to_owned()).collect();
    assert_eq!(sent, ["Bearer t0ken", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Basic Nzo=", "Bearer last"]);
}

#[test]
fn credentials_that_no_header_can_hold_are_refused_and_never_shown() {
    let api = client(Vec::new()).build().unwrap();
    let calls = [
        (api.get("a").basic_auth("S3CRET:x", Some("y")), ErrorKind::InvalidOption, "basic_auth"),
        (api.get("a").basic_auth("x", Some("S3CRET\n")), ErrorKind::InvalidOption, "basic_auth"),
        (api.get("a").bearer_auth("S3CRET\n"), ErrorKind::InvalidRequest, "Authorization"),
    ];
    for (call, kind, named) in calls {
        let error = run(call.send()).unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (kind, Outcome::NotSent));
        let text = format!("{error} {error:?}");
        assert!(text.contains(named) && !text.contains("S3CRET"), "{text}");
    }
}

#[test]
fn the_value_of_a_header_is_anything_that_can_be_displayed() {
    let api = client(vec![ok("")]).header("X-A", 1).headers([("X-B", 2.5)]).build().unwrap();
    run(api.get("a").header("X-C", format_args!("{}-{}", 3, true)).header("X-D", String::from("d")).send()).unwrap();
    let sent = ["X-A", "X-B", "X-C", "X-D"].map(|name| requests()[0].header(name).unwrap().to_owned());
    assert_eq!(sent, ["1", "2.5", "3-true", "d"]);
}

#[test]
fn a_request_is_sent_when_it_is_awaited() {
    let api = client(vec![ok("x")]).build().unwrap();
    assert_eq!(run(async { api.get("a").await?.text().await }).unwrap(), "x");
}

#[test]
fn a_copy_of_a_request_is_sent_as_the_request_is() {
    let api = client((0..3).map(|_| ok("")).collect()).build().unwrap();
    let told = Rc::new(Cell::new(0));
    let count = told.clone();
    let call = api
        .request("PURGE", "a")
        .query([("n", 1)])
        .header("X-A", "b")
        .body("text")
        .operation("purge")
        .on_event(move |_| count.set(count.get() + 1));
    run(async {
        for _ in 0..2 {
            call.try_clone().unwrap().await.unwrap();
        }
        let each = told.get() / 2;
        call.await.unwrap();
        assert_eq!(told.get(), 3 * each);
    });
    for request in requests() {
        assert_eq!((request.method(), request.url()), ("PURGE", "https://api.test/v1/a?n=1"));
        assert_eq!((request.header("X-A"), request.body()), (Some("b"), Some(&b"text"[..])));
    }
    // A mistake stays one.
    assert!(run(api.get("a").header("X A", "").try_clone().unwrap().send()).is_err());
}

#[test]
fn a_response_says_its_length_and_whether_its_status_is_an_error() {
    let long = Answer::Response(0, Response::new(200).with_header("Content-Length", "3").with_body("abc"));
    let packed = Response::new(200).with_header("Content-Length", "3").with_header("Content-Encoding", "br");
    let api = client(vec![long, Answer::Response(0, packed.with_body("abc")), ok("abc"), status(404)]).build().unwrap();
    run(async {
        for expected in [Some(3), None, None] {
            let response = api.get("a").await.unwrap();
            assert_eq!(response.content_length(), expected);
            assert_eq!(response.error_for_status_ref().unwrap().status(), 200);
            assert_eq!(response.error_for_status().unwrap().text().await.unwrap(), "abc");
        }
        let response = api.get("a").throw_http_errors(false).await.unwrap();
        let error = response.error_for_status_ref().unwrap_err();
        assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(404)));
        assert_eq!(response.text().await.unwrap(), "{\"why\":\"because\"}", "it can still be read");
    });
}

#[test]
fn every_word_is_displayed_as_both_apis_write_it() {
    assert_eq!(ErrorKind::Http.to_string(), "HTTP_ERROR");
    assert_eq!(format!("{:>9}", Outcome::NotSent), " not-sent");
    assert_eq!(Phase::Headers.to_string(), "headers");
    assert_eq!(RetryStopped::RetryAfter.to_string(), "retry-after");
    assert_eq!(CircuitState::HalfOpen.to_string(), "half-open");
    assert_eq!(Credentials::SameOrigin.to_string(), "same-origin");
    assert_eq!(Hint::CrossOrigin.to_string(), "cross-origin");
    assert_eq!(
        (Limit::Bytes(8).to_string(), Limit::Time(3 * SECOND).to_string()),
        ("8 bytes".into(), "3000 ms".into())
    );
    assert_eq!(Priority::ALL, [Priority::High, Priority::Auto, Priority::Low]);
    let codes: Vec<_> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
    assert_eq!((codes.len(), codes[0]), (19, "INVALID_OPTION"));
}

#[test]
fn a_form_with_files_is_sent_with_its_own_boundary_whatever_type_is_set() {
    let api = client((0..3).map(|_| ok("")).collect()).header("Content-Type", "text/plain").build().unwrap();
    let form = || Form::new().text("a", 1).part("f", Part::bytes([0, 1]).file_name("f.bin"));
    run(async {
        api.put("a").multipart(form()).await.unwrap();
        api.put("a").multipart(form()).header("content-type", "multipart/form-data").await.unwrap();
        api.put("a").multipart(form()).body("text").await.unwrap();
    });
    let (body, content_type) = form().encode().unwrap();
    for request in &requests()[..2] {
        assert_eq!((request.header("Content-Type"), request.body()), (Some(&*content_type), Some(&*body)));
    }
    assert_eq!(requests()[2].header("Content-Type"), Some("text/plain"));
    let wrong = Form::new().part("a", Part::text("").content_type("S3CRET\n"));
    let error = run(api.put("a").multipart(wrong).send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidOption, Outcome::NotSent));
    assert!(!error.to_string().contains("S3CRET") && error.to_string().contains("multipart"), "{error}");
}

#[test]
fn a_body_is_made_of_bytes_however_they_are_held() {
    let api = client((0..3).map(|_| ok("")).collect()).build().unwrap();
    run(async {
        api.put("a").body([1, 2]).await.unwrap();
        api.put("a").body(b"\x01\x02").await.unwrap();
        #[cfg(feature = "bytes")]
        api.put("a").body(bytes::Bytes::from_static(&[1, 2])).await.unwrap();
    });
    for request in requests() {
        assert_eq!(request.body(), Some(&[1, 2][..]));
    }
}

#[test]
fn a_redacted_url_is_shown_everywhere_and_the_real_one_is_asked() {
    let told = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let out = told.clone();
    let api = client(vec![status(404), ok("")])
        .redact_url(|url| url.replace("S3CRET", "..."))
        .queue(crate::Queue::new(1))
        .on_event(move |event| out.lock().unwrap().push_str(&format!("{event:?}")))
        .build()
        .unwrap();
    let error = run(api.get("share/S3CRET?x").send()).unwrap_err();
    assert_eq!(error.url(), "https://api.test/v1/share/...");
    // A view has it too.
    run(api.extend().build().unwrap().get("S3CRET").send()).unwrap();
    let shown = format!("{error} {error:?} {} {:?}", told.lock().unwrap(), requests());
    assert!(shown.contains("share/...") && !shown.contains("S3CRET"), "{shown}");
    assert_eq!((url(0), url(1)), ("https://api.test/v1/share/S3CRET?x".into(), "https://api.test/v1/S3CRET".into()));
}
