use std::time::Duration;

use super::sim::{Answer, Flood, client, closed, drip, now, requests, run};
use crate::transport::{Fault, Response};
use crate::{Auth, ErrorKind, Phase, Refreshed, Retry};

#[test]
fn a_broken_body_is_a_network_error_with_its_status() {
    let api = client(vec![drip(vec![(10, Some("{\"a\":1}")), (10, None)], false)]).build().unwrap();
    let error = run(async { api.get("a").send().await?.text().await }).unwrap_err();
    assert_eq!((error.kind(), error.phase(), error.status()), (ErrorKind::Network, Some(Phase::Body), Some(200)));
    assert_eq!(requests().len(), 1, "final");
}

#[test]
fn d06_a_body_above_the_limit_is_cancelled() {
    let api = client(vec![drip(vec![(10, Some("12345")), (10, Some("67890"))], false)])
        .max_response_bytes(8)
        .build()
        .unwrap();
    let error = run(async { api.get("a").send().await?.bytes().await }).unwrap_err();
    assert_eq!(
        (error.kind(), error.limit(), error.bytes_received()),
        (ErrorKind::ResponseTooLarge, Some(crate::Limit::Bytes(8)), 10)
    );
    assert_eq!(closed(), 1);

    let long = Response::new(200).with_header("content-length", "9").with_body("123456789");
    let api = client(vec![Answer::Response(0, long)]).max_response_bytes(8).build().unwrap();
    assert_eq!(run(api.get("a").send()).unwrap_err().kind(), ErrorKind::ResponseTooLarge);
}

#[test]
fn chunks_come_as_they_are() {
    let api = client(vec![drip(vec![(10, Some("a")), (10, Some("bc"))], true)]).build().unwrap();
    run(async {
        let mut response = api.get("a").send().await.unwrap();
        assert_eq!(response.chunk().await.unwrap(), Some(b"a".to_vec()));
        assert_eq!(response.chunk().await.unwrap(), Some(b"bc".to_vec()));
        assert_eq!(response.chunk().await.unwrap(), None);
        assert_eq!(response.chunk().await.unwrap(), None);
        assert_eq!(response.bytes().await.unwrap(), b"");
    });
}

#[test]
fn headers_are_read_in_any_case() {
    let response = Response::new(200).with_header("X-A", "1").with_header("x-a", "2").with_url("https://b.test/c#d");
    let api = client(vec![Answer::Response(0, response)]).build().unwrap();
    let response = run(api.get("a").send()).unwrap();
    assert_eq!(response.header("X-a").as_deref(), Some("1, 2"));
    assert_eq!(response.headers().len(), 2);
    assert_eq!((response.url().as_str(), response.redirected(), response.ok()), ("https://b.test/c", true, true));
}

#[cfg(feature = "json")]
mod json {
    use super::super::sim::ok;
    use super::*;
    use crate::Outcome;

    async fn json<T: serde::de::DeserializeOwned>(api: crate::Client) -> Result<T, crate::Error> {
        api.get("a").send().await?.json().await
    }

    #[test]
    fn json_in_and_out() {
        let api = client(vec![ok("\u{feff}{\"a\":1}")]).build().unwrap();
        let value: serde_json::Value = run(async { api.put("a").json(&[1, 2]).send().await?.json().await }).unwrap();
        assert_eq!(value["a"], 1);
        let request = &requests()[0];
        assert_eq!(request.header("content-type"), Some("application/json"));
        assert_eq!(request.body(), Some(&b"[1,2]"[..]));
    }

    #[test]
    fn d01_no_body_reads_as_null_where_none_belongs() {
        for status in [204, 205, 304] {
            let api = client(vec![Answer::Response(0, Response::new(status))]).build().unwrap();
            assert_eq!(run(json::<Option<u8>>(api)).unwrap(), None, "{status}");
        }
        let api = client(vec![Answer::Response(0, Response::new(204))]).build().unwrap();
        run(json::<()>(api)).unwrap();
        let api = client(vec![Answer::Response(0, Response::new(204))]).build().unwrap();
        let error = run(json::<u8>(api)).unwrap_err();
        assert_eq!((error.kind(), error.status(), error.outcome()), (ErrorKind::Parse, Some(204), Outcome::Answered));
        for empty in [Response::new(200), Response::new(200).with_body("")] {
            let api = client(vec![Answer::Response(0, empty)]).build().unwrap();
            assert_eq!(run(json::<Option<u8>>(api)).unwrap_err().kind(), ErrorKind::Parse);
        }
    }

    #[test]
    fn d08_a_body_of_nothing_but_a_byte_order_mark_is_empty() {
        for (body, hint) in [("", Some("empty-body")), ("\u{feff}", Some("empty-body")), (" ", None)] {
            let error = run(json::<Option<u8>>(client(vec![ok(body)]).build().unwrap())).unwrap_err();
            assert_eq!((error.kind(), error.hint().map(crate::Hint::name)), (ErrorKind::Parse, hint), "{body:?}");
        }
    }

    #[test]
    fn json_of_another_shape_is_told_apart_from_no_json() {
        let error = run(json::<u8>(client(vec![ok("{\"a\":")]).build().unwrap())).unwrap_err();
        assert_eq!((error.kind(), error.phase()), (ErrorKind::Parse, Some(Phase::Body)));
        let error = run(json::<u8>(client(vec![ok("\"S3CRET\"")]).build().unwrap())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedResponse);
        assert!(error.issues().unwrap().contains("S3CRET"));
        assert!(!format!("{error} {error:?}").contains("S3CRET"), "m01");
    }

    #[test]
    fn an_error_body_can_be_read_as_a_type() {
        let bad = Response::new(422).with_body("{\"field\":\"name\"}");
        let error = run(client(vec![Answer::Response(0, bad)]).build().unwrap().get("a").send()).unwrap_err();
        let data: serde_json::Value = error.data_json().unwrap();
        assert_eq!(data["field"], "name");
    }

    #[test]
    fn a_value_that_is_no_json_is_never_sent() {
        let bad = std::collections::BTreeMap::from([((1, 2), 3)]);
        let error = run(client(vec![]).build().unwrap().post("a").json(&bad).send()).unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidOption, Outcome::NotSent));
    }
}

#[cfg(feature = "stream")]
#[test]
fn a_stream_outlives_the_limits_of_its_client() {
    use futures_core::Stream;
    use std::future::poll_fn;
    use std::pin::pin;
    use std::time::Duration;

    let chunks = || (0..5).map(|_| (9_000, Some("x"))).collect();
    let read = |stream: crate::BodyStream| {
        run(async {
            let mut stream = pin!(stream);
            let mut count = 0;
            while let Some(chunk) = poll_fn(|cx| stream.as_mut().poll_next(cx)).await {
                count += chunk?.len();
            }
            Ok::<_, crate::Error>(count)
        })
    };
    let api = client(vec![drip(chunks(), true)]).build().unwrap();
    assert_eq!(read(run(api.get("a").send()).unwrap().stream()).unwrap(), 5);
    let api = client(vec![drip(chunks(), true)]).build().unwrap();
    let given = run(api.get("a").total_timeout(Duration::from_secs(20)).send()).unwrap().stream();
    assert_eq!(read(given).unwrap_err().kind(), ErrorKind::DeadlineExceeded);
}

#[test]
fn a_body_that_is_always_ready_lets_the_timer_have_its_turn() {
    let limit = Duration::from_secs(1);
    let flood = |status| Answer::Response(10, Response::new(status).with_chunks(Flood(0)));
    let soon = |at: Duration| assert!(at < 2 * limit, "{at:?}");

    let api = client(vec![flood(200)]).total_timeout(limit).build().unwrap();
    let error = run(async { api.get("a").send().await?.bytes().await }).unwrap_err();
    assert_eq!((error.kind(), error.phase()), (ErrorKind::DeadlineExceeded, Some(Phase::Body)));
    soon(now());

    let api = client(vec![flood(500)]).total_timeout(limit).build().unwrap();
    let error = run(api.get("a").send()).unwrap_err();
    assert_eq!((error.kind(), error.status(), error.data()), (ErrorKind::Http, Some(500), None));
    soon(now());

    let auth = Auth::cookies(|_| async { Ok(Refreshed::Renewed) }).should_refresh(|peek| peek.status() == 401);
    let api = client(vec![flood(403)]).total_timeout(limit).auth(auth).build().unwrap();
    assert_eq!(run(api.get("a").send()).unwrap_err().kind(), ErrorKind::DeadlineExceeded);
    soon(now());
}

#[test]
fn the_body_of_an_error_above_the_limit_is_not_kept() {
    let long = |bytes: usize| Answer::Response(10, Response::new(500).with_body(vec![b'x'; bytes]));
    let data = |bytes, limit| {
        let api = client(vec![long(bytes)]).max_response_bytes(limit).build().unwrap();
        let error = run(api.get("a").send()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Http);
        error.data().map(str::len)
    };
    assert_eq!(data(1_000, 10), None);
    assert_eq!(data(1_000, 1_000), Some(1_000));
    assert_eq!(data(100_000, 10), None);
    assert_eq!(data(100_000, 70_000), Some(65_536), "no more is read");
}

#[test]
fn an_error_for_the_status_of_an_answer_says_what_is_known() {
    let busy = Response::new(503).with_header("Retry-After", "7").with_body("x");
    let api = client(vec![Answer::Fault(10, Fault::Network), Answer::Response(10, busy)]);
    let api = api.throw_http_errors(false).retry(Retry::new().delay(Duration::ZERO)).build().unwrap();
    let error = run(async { api.get("a").send().await?.error_for_status() }).unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(503)));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    assert_eq!(error.elapsed(), Duration::from_millis(20));
    let attempts: Vec<_> = error.attempts().iter().map(|one| (one.number(), one.kind(), one.status())).collect();
    assert_eq!(attempts, [(1, Some(ErrorKind::Network), None), (2, Some(ErrorKind::Http), Some(503))]);
}
