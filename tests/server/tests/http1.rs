//! What a client of an HTTP/1.1 origin sees, byte by byte, and what the report says of it.

mod support;

use serde_json::json;
use support::{Ended, Fixture};

#[tokio::test]
async fn request_k_gets_step_k_and_the_last_step_repeats() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "status": 503 }, { "json": { "a": 1 } }])).await;
    assert_eq!(origin.get("/a").await.status, 503);
    assert_eq!(origin.get("/a").await.json(), json!({ "a": 1 }));
    assert_eq!(origin.get("/a").await.status, 200);
}

#[tokio::test]
async fn requests_with_a_key_are_counted_apart() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "status": 503 }, {}])).await;
    assert_eq!(origin.get("/a?key=x").await.status, 503);
    assert_eq!(origin.get("/a?key=y").await.status, 503);
    assert_eq!(origin.get("/a?key=x").await.status, 200);
    let mut client = origin.connect().await;
    client.send("GET /a HTTP/1.1\r\nkey: x\r\n\r\n").await;
    assert_eq!(client.answer().await.status, 200);
    let report = origin.wait("path=/a&key=x&completed=3").await;
    assert_eq!(report["requests"], 4);
}

#[tokio::test]
async fn conditions_choose_the_route() {
    let fixture = Fixture::start().await;
    let script = json!({ "routes": [
        { "path": "/u/*", "when": { "headers": { "Authorization": "Bearer t2" } }, "steps": [{}] },
        { "path": "/u/*", "method": ["GET", "PUT"], "steps": [{ "status": 401 }] },
    ] });
    let origin = fixture.open(json!({ "script": script })).await;
    let mut client = origin.connect().await;
    client.send("GET /u/1 HTTP/1.1\r\nauthorization: Bearer t2\r\n\r\n").await;
    assert_eq!(client.answer().await.status, 200);
    client.send("PUT /u/2 HTTP/1.1\r\nauthorization: Bearer t1\r\n\r\n").await;
    assert_eq!(client.answer().await.status, 401);
    client.send("POST /u/3 HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.answer().await.status, 404);
}

#[tokio::test]
async fn the_report_tells_what_came() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "commit": true }])).await;
    let mut client = origin.connect().await;
    client.send("PUT /a?x=1 HTTP/1.1\r\nX-Two: 1\r\nx-two: 2\r\ncontent-length: 3\r\n\r\nabc").await;
    client.answer().await;
    client.get("/a").await;
    client.answer().await;
    let report = origin.wait("completed=2").await;
    let first = &report["log"][0];
    assert_eq!(first["method"], "PUT");
    assert_eq!(first["url"], "/a?x=1");
    assert_eq!(first["headers"]["x-two"], "1, 2");
    assert_eq!((&first["body"], &first["bodyBytes"]), (&json!("abc"), &json!(3)));
    assert_eq!((&first["reused"], &first["connection"]), (&json!(false), &json!(1)));
    assert_eq!((&first["state"], &first["committed"]), (&json!("completed"), &json!(true)));
    assert_eq!(report["log"][1]["reused"], true);
    assert_eq!((&report["connections"], &report["commits"]), (&json!(1), &json!(2)));
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "body": "one", "delay": 20 }, { "body": "two" }])).await;
    let mut client = origin.connect().await;
    client.send("GET /a HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.answer().await.text(), "one");
    assert_eq!(client.answer().await.text(), "two");
}

#[tokio::test]
async fn a_chunked_request_body_is_put_together() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "echo": true }])).await;
    let mut client = origin.connect().await;
    client.send("POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nab").await;
    client.send("c\r\n2;x=y\r\nde\r\n0\r\ntrailer: 1\r\n\r\n").await;
    let echo = client.answer().await.json();
    assert_eq!((&echo["body"], &echo["bodyBytes"]), (&json!("abcde"), &json!(5)));
}

#[tokio::test]
async fn a_large_request_body_is_counted_and_the_connection_is_good_for_more() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "echo": true }])).await;
    let mut client = origin.connect().await;
    client.send("POST /a HTTP/1.1\r\ncontent-length: 16000000\r\n\r\n").await;
    client.send_bytes(&vec![0; 16_000_000]).await;
    let echo = client.answer().await.json();
    assert_eq!(echo["bodyBytes"], 16_000_000);
    assert_eq!(echo["body"], json!(null));
    client.get("/a").await;
    assert_eq!(client.answer().await.status, 200);
}

#[tokio::test]
async fn a_client_that_expects_100_continue_gets_it() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "echo": true }])).await;
    let mut client = origin.connect().await;
    client.send("POST /a HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n").await;
    assert_eq!(client.head().await.status, 100);
    client.send("hi").await;
    assert_eq!(client.answer().await.json()["body"], "hi");
}

#[tokio::test]
async fn echo_tells_whether_the_boundary_fits() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "echo": true }])).await;
    for (boundary, found) in [("b1", true), ("b2", false)] {
        let mut client = origin.connect().await;
        client
            .send(&format!(
                "POST /a HTTP/1.1\r\ncontent-type: multipart/form-data; boundary={boundary}\r\n\
                 content-length: 8\r\n\r\n--b1--\r\n"
            ))
            .await;
        let echo = client.answer().await.json();
        assert_eq!(echo["multipart"], json!({ "boundary": boundary, "found": found }));
    }
}

#[tokio::test]
async fn a_reset_is_an_rst_and_a_fin_is_a_fin() {
    let fixture = Fixture::start().await;
    for read_body in ["all", "first", "none"] {
        for (before, ended) in [("reset", Ended::Reset), ("fin", Ended::Fin)] {
            let step = json!([{ "before": before, "readBody": read_body }]);
            let origin = fixture.play(step).await;
            let mut client = origin.connect().await;
            // More than the server reads at once, so that bytes are left unread where not all is to be read.
            client.send("POST /a HTTP/1.1\r\ncontent-length: 50000\r\n\r\n").await;
            client.send_bytes(&[b'x'; 50_000]).await;
            assert_eq!(client.rest().await, (Vec::new(), ended), "{before}, {read_body}");
            assert_eq!(origin.wait("open=0").await["log"][0]["state"], "faulted");
        }
    }
}

#[tokio::test]
async fn a_client_that_closes_while_nothing_comes_is_reported() {
    let fixture = Fixture::start().await;
    for step in [
        json!({ "before": "hang" }),
        json!({ "gate": "never" }),
        json!({ "delay": 60_000 }),
        json!({ "chunks": [{ "text": "{" }], "end": "hang" }),
        json!({ "chunks": [{ "text": "{" }, { "text": "}", "gate": "never" }] }),
        json!({ "drip": { "bytes": 1, "every": 60_000 } }),
    ] {
        for reset in [false, true] {
            let origin = fixture.play(json!([step])).await;
            let mut client = origin.connect().await;
            client.get("/a").await;
            origin.wait("requests=1").await;
            if reset {
                client.reset()
            } else {
                drop(client)
            }
            let report = origin.wait("closes=1&open=0&connectionsOpen=0").await;
            assert_eq!(report["log"][0]["state"], "closed", "{step}");
            assert_eq!(report["completed"], 0);
        }
    }
}

#[tokio::test]
async fn a_client_that_leaves_a_blocked_download_is_reported() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "bytes": 200_000_000 }])).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    assert_eq!(client.head().await.header("content-length"), Some("200000000"));
    drop(client);
    let report = origin.wait("closes=1&open=0").await;
    assert!(report["log"][0]["bytesSent"].as_u64() < Some(200_000_000));
}

#[tokio::test]
async fn a_client_that_breaks_off_its_body_is_reported() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{}])).await;
    let mut client = origin.connect().await;
    client.send("POST /a HTTP/1.1\r\ncontent-length: 10\r\n\r\nabc").await;
    origin.wait("requests=1").await;
    drop(client);
    let report = origin.wait("closes=1").await;
    assert_eq!(report["log"][0]["bodyBytes"], 3);
}

#[tokio::test]
async fn a_gate_holds_until_it_is_released() {
    let fixture = Fixture::start().await;
    let steps = json!([{ "chunks": [{ "text": "a" }, { "text": "b", "gate": "more" }] }]);
    let origin = fixture.play(steps).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    client.head().await;
    assert_eq!(client.read_until("a\r\n").await, "1\r\na\r\n");
    assert_eq!(origin.report().await["open"], 1);
    origin.release("more").await;
    assert_eq!(client.read_until("0\r\n\r\n").await, "1\r\nb\r\n0\r\n\r\n");
}

#[tokio::test]
async fn most_requests_at_once_are_counted() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "gate": "go" }])).await;
    let mut clients = Vec::new();
    for _ in 0..3 {
        let mut client = origin.connect().await;
        client.get("/a").await;
        clients.push(client);
    }
    origin.wait("requests=3").await;
    origin.release("go").await;
    for client in &mut clients {
        client.answer().await;
    }
    let report = origin.wait("open=0&completed=3").await;
    assert_eq!(report["maxOpen"], 3);
}

#[tokio::test]
async fn a_cut_body_has_no_last_chunk() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "json": { "a": 1 }, "end": "cut" }])).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    assert_eq!(client.head().await.header("transfer-encoding"), Some("chunked"));
    assert_eq!(client.rest().await, (b"7\r\n{\"a\":1}\r\n".to_vec(), Ended::Fin));
}

#[tokio::test]
async fn bytes_before_a_delayed_reset_arrive() {
    let fixture = Fixture::start().await;
    let steps = json!([{ "chunks": [{ "text": "abc" }, { "bytes": 0, "gate": "die" }], "end": "reset" }]);
    let origin = fixture.play(steps).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    client.head().await;
    client.read_until("3\r\nabc\r\n").await;
    origin.release("die").await;
    assert_eq!(client.rest().await, (Vec::new(), Ended::Reset));
}

#[tokio::test]
async fn a_wrong_content_length_is_sent_as_it_is_and_ends_the_connection() {
    let fixture = Fixture::start().await;
    for length in [3, 100] {
        let origin = fixture.play(json!([{ "json": { "a": 1 }, "contentLength": length }])).await;
        let mut client = origin.connect().await;
        client.get("/a").await;
        let head = client.head().await;
        assert_eq!(head.header("content-length"), Some(length.to_string().as_str()));
        assert_eq!(client.rest().await, (b"{\"a\":1}".to_vec(), Ended::Fin));
    }
}

#[tokio::test]
async fn http_1_0_ends_with_the_connection() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "body": "abc", "http10": true }])).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    let head = client.head().await;
    assert_eq!(head.version, "HTTP/1.0");
    assert_eq!((head.header("content-length"), head.header("transfer-encoding")), (None, None));
    assert_eq!(client.rest().await, (b"abc".to_vec(), Ended::Fin));
}

#[tokio::test]
async fn connection_close_says_so_and_closes() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "body": "abc", "connection": "close" }])).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    assert_eq!(client.answer().await.header("connection"), Some("close"));
    assert_eq!(client.rest().await, (Vec::new(), Ended::Fin));
}

#[tokio::test]
async fn answers_without_a_body_have_none() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "status": 204, "body": "no" }, { "contentLength": 20 }])).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    assert_eq!(client.head().await.header("content-length"), None);
    client.send("HEAD /a HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.head().await.header("content-length"), Some("20"));
    client.get("/nowhere").await;
    assert_eq!(client.answer().await.status, 404);
}

#[tokio::test]
async fn gzip_is_small_on_the_wire() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "bytes": 1_000_000, "fill": "a", "gzip": true }])).await;
    let answer = origin.get("/a").await;
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    assert!(answer.body.len() < 2000);
    let mut text = String::new();
    let mut decoder = flate2::read::GzDecoder::new(answer.body.as_slice());
    std::io::Read::read_to_string(&mut decoder, &mut text).unwrap();
    assert_eq!(text, "a".repeat(1_000_000));
}

#[tokio::test]
async fn a_compressed_chunk_can_be_read_before_the_next_one() {
    let fixture = Fixture::start().await;
    let steps = json!([{ "chunks": [{ "text": "abc" }, { "text": "d", "gate": "more" }], "gzip": true }]);
    let origin = fixture.play(steps).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    client.head().await;
    let size = client.read_until("\r\n").await;
    let first = client.take(usize::from_str_radix(size.trim_end(), 16).unwrap()).await;
    let mut decoder = flate2::read::GzDecoder::new(first.as_slice());
    let mut text = [0; 3];
    std::io::Read::read_exact(&mut decoder, &mut text).unwrap();
    assert_eq!(&text, b"abc");
}

#[tokio::test]
async fn a_split_body_is_flushed_in_these_sizes() {
    let fixture = Fixture::start().await;
    let steps = json!([{ "body": "abcdefg", "chunked": true, "split": { "sizes": [1, 3] } }]);
    let origin = fixture.play(steps).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    client.head().await;
    let body = client.read_until("0\r\n\r\n").await;
    assert_eq!(body, "1\r\na\r\n3\r\nbcd\r\n1\r\ne\r\n2\r\nfg\r\n0\r\n\r\n");
}

#[tokio::test]
async fn a_drip_counts_its_drops() {
    let fixture = Fixture::start().await;
    let steps = json!([{ "drip": { "text": "ab", "every": 1, "count": 3 } }]);
    let origin = fixture.play(steps).await;
    assert_eq!(origin.get("/a").await.text(), "ababab");
}

#[tokio::test]
async fn a_part_of_generated_bytes_fits_the_whole() {
    let fixture = Fixture::start().await;
    let steps = json!([{ "bytes": 100 }, { "status": 206, "bytes": { "start": 40, "end": 100 } }]);
    let origin = fixture.play(steps).await;
    let whole = origin.get("/a").await;
    let part = origin.get("/a").await;
    assert_eq!((part.status, part.body), (206, whole.body[40..].to_vec()));
}

#[tokio::test]
async fn headers_are_sent_as_listed_and_replace_the_servers_own() {
    let fixture = Fixture::start().await;
    let steps = json!([
        { "headers": [["set-cookie", "a=1"], ["set-cookie", "b=2"]], "json": {} },
        { "headers": { "Content-Type": "text/html", "retry-after": { "dateIn": 10_000 } }, "json": {} },
        { "redirect": { "status": 307, "to": "/b" } },
    ]);
    let origin = fixture.play(steps).await;
    let answer = origin.get("/a").await;
    let cookies = answer.headers.iter().filter(|(name, _)| name == "set-cookie");
    assert_eq!(cookies.count(), 2);
    let answer = origin.get("/a").await;
    let types = answer.headers.iter().filter(|(name, _)| name == "content-type");
    assert_eq!(types.count(), 1);
    assert_eq!(answer.header("content-type"), Some("text/html"));
    assert!(answer.header("retry-after").is_some_and(|date| date.ends_with(" GMT")));
    let answer = origin.get("/a").await;
    assert_eq!((answer.status, answer.header("location")), (307, Some("/b")));
}

#[tokio::test]
async fn cors_is_open_unless_the_step_says_otherwise() {
    let fixture = Fixture::start().await;
    let exact = json!({ "allowOrigin": "echo", "allowCredentials": true });
    let origin = fixture.play(json!([{}, { "cors": false }, { "cors": exact }])).await;
    let allowed = |answer: &support::Answer| answer.header("access-control-allow-origin").map(str::to_owned);
    assert_eq!(allowed(&origin.get("/a").await).as_deref(), Some("*"));
    assert_eq!(allowed(&origin.get("/a").await), None);
    let mut client = origin.connect().await;
    client.send("GET /a HTTP/1.1\r\norigin: http://page.test\r\n\r\n").await;
    let answer = client.answer().await;
    assert_eq!(allowed(&answer).as_deref(), Some("http://page.test"));
    assert_eq!(answer.header("access-control-allow-credentials"), Some("true"));
    assert_eq!(answer.header("access-control-expose-headers"), None);
}

#[tokio::test]
async fn preflights_are_answered_by_the_step_to_come_and_counted_apart() {
    const PREFLIGHT: &str = "OPTIONS /a HTTP/1.1\r\norigin: http://page.test\r\n\
        access-control-request-method: PUT\r\naccess-control-request-headers: x-a,x-b\r\n\r\n";
    let fixture = Fixture::start().await;
    let steps = json!([{}, { "preflight": { "status": 200, "allowHeaders": ["x-a"], "maxAge": 0 } }]);
    let origin = fixture.play(steps).await;
    let preflight = async || {
        let mut client = origin.connect().await;
        client.send(PREFLIGHT).await;
        let answer = client.answer().await;
        // A fresh connection for the request itself.
        assert_eq!(client.rest().await, (Vec::new(), Ended::Fin));
        answer
    };
    for _ in 0..2 {
        let answer = preflight().await;
        assert_eq!(answer.status, 204);
        assert_eq!(answer.header("access-control-allow-headers"), Some("x-a,x-b"));
        assert_eq!(answer.header("access-control-allow-methods"), Some("PUT"));
        assert_eq!(answer.header("access-control-max-age"), None);
    }
    origin.get("/a").await;
    let answer = preflight().await;
    assert_eq!((answer.status, answer.header("access-control-max-age")), (200, Some("0")));
    assert_eq!(answer.header("access-control-allow-headers"), Some("x-a"));
    let report = origin.wait("preflights=3&completed=1").await;
    assert_eq!((&report["requests"], &report["preflightLog"][0]["method"]), (&json!(1), &json!("OPTIONS")));
}

#[tokio::test]
async fn an_options_request_that_is_no_preflight_is_a_request() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "body": "options" }])).await;
    let mut client = origin.connect().await;
    client.send("OPTIONS /a HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.answer().await.text(), "options");
    assert_eq!(origin.wait("completed=1").await["preflights"], 0);
}

#[tokio::test]
async fn what_is_not_http_is_refused() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{}])).await;
    for (text, status) in [
        ("nonsense\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\n\r\n", 505),
        ("GET / HTTP/1.1\r\ncontent-length: x\r\n\r\n", 400),
    ] {
        let mut client = origin.connect().await;
        client.send(text).await;
        assert_eq!(client.answer().await.status, status, "{text:?}");
        assert_eq!(client.rest().await.1, Ended::Fin);
    }
}
