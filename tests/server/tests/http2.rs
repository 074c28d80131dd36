//! What a client of an HTTP/2 origin sees, frame by frame.

mod support;

use std::sync::Arc;

use bytes::Bytes;
use h2::client::SendRequest;
use h2::{Reason, RecvStream};
use http::{Request, Response};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme, crypto};

use support::{Fixture, Origin};

/// Takes any certificate, as the browsers of the tests are told to.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        crypto::verify_tls12_signature(message, cert, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        crypto::verify_tls13_signature(message, cert, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

async fn connect_tls(origin: &Origin<'_>, protocols: &[&[u8]]) -> TlsStream<TcpStream> {
    let provider = Arc::new(ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .unwrap()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    let stream = TcpStream::connect(&origin.authority).await.unwrap();
    let name = ServerName::try_from("127.0.0.1").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap()
}

/// A connection, and how it ended once it has.
struct Http2 {
    send: SendRequest<Bytes>,
    ended: JoinHandle<Result<(), h2::Error>>,
}

impl Http2 {
    async fn connect(origin: &Origin<'_>) -> Self {
        let tls = connect_tls(origin, &[b"h2", b"http/1.1"]).await;
        assert_eq!(tls.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
        let (send, connection) = h2::client::handshake(tls).await.unwrap();
        Self { send, ended: tokio::spawn(connection) }
    }

    async fn get(&mut self) -> Result<Response<RecvStream>, h2::Error> {
        let request = Request::get("https://127.0.0.1/a").body(()).unwrap();
        let mut send = self.send.clone().ready().await?;
        send.send_request(request, true)?.0.await
    }
}

async fn read(response: Response<RecvStream>) -> Result<Vec<u8>, h2::Error> {
    let mut body = response.into_body();
    let mut all = Vec::new();
    while let Some(part) = body.data().await {
        let part = part?;
        body.flow_control().release_capacity(part.len())?;
        all.extend_from_slice(&part);
    }
    Ok(all)
}

async fn play(fixture: &Fixture, steps: Value) -> Origin<'_> {
    let script = json!({ "routes": [{ "path": "/a", "steps": steps }] });
    fixture.open(json!({ "tls": true, "http2": true, "script": script })).await
}

#[tokio::test]
async fn an_answer_and_its_body_of_any_size() {
    let fixture = Fixture::start().await;
    let origin = play(&fixture, json!([{ "json": { "a": 1 } }, { "bytes": 3_000_000 }])).await;
    let mut client = Http2::connect(&origin).await;
    let response = client.get().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(read(response).await.unwrap(), b"{\"a\":1}");
    assert_eq!(read(client.get().await.unwrap()).await.unwrap().len(), 3_000_000);
    let report = origin.wait("completed=2").await;
    assert_eq!((&report["connections"], &report["log"][1]["reused"]), (&json!(1), &json!(true)));
}

#[tokio::test]
async fn a_request_body_is_read() {
    let fixture = Fixture::start().await;
    let origin = play(&fixture, json!([{ "echo": true }])).await;
    let client = Http2::connect(&origin).await;
    let request = Request::post("https://127.0.0.1/a?x").body(()).unwrap();
    let mut send = client.send.clone().ready().await.unwrap();
    let (response, mut body) = send.send_request(request, false).unwrap();
    body.send_data(Bytes::from_static(b"abc"), true).unwrap();
    let echo: Value = serde_json::from_slice(&read(response.await.unwrap()).await.unwrap()).unwrap();
    assert_eq!((&echo["method"], &echo["url"], &echo["body"]), (&json!("POST"), &json!("/a?x"), &json!("abc")));
}

#[tokio::test]
async fn a_reset_is_of_the_stream_alone_and_has_its_code() {
    let fixture = Fixture::start().await;
    let origin =
        play(&fixture, json!([{ "before": "reset" }, { "body": "abc", "end": "reset", "rstStream": 7 }, {}])).await;
    let mut client = Http2::connect(&origin).await;
    let error = client.get().await.unwrap_err();
    assert_eq!(error.reason(), Some(Reason::INTERNAL_ERROR));
    let error = match client.get().await {
        Ok(response) => read(response).await.unwrap_err(),
        Err(error) => error,
    };
    assert_eq!(error.reason(), Some(Reason::REFUSED_STREAM));
    assert_eq!(client.get().await.unwrap().status(), 200);
    assert_eq!(origin.report().await["connections"], 1);
}

#[tokio::test]
async fn a_dropped_connection_is_an_rst_and_a_cut_one_a_fin() {
    let fixture = Fixture::start().await;
    let reset = json!([{ "before": "reset", "dropConnection": true }]);
    for (steps, resets) in [(reset, true), (json!([{ "before": "fin" }]), false)] {
        let origin = play(&fixture, steps).await;
        let mut client = Http2::connect(&origin).await;
        let error = client.get().await.unwrap_err();
        assert!(error.is_io() && !error.is_go_away(), "{error}");
        let kind = error.get_io().unwrap().kind();
        assert_eq!(kind == std::io::ErrorKind::ConnectionReset, resets, "{kind}");
        assert_eq!(origin.wait("open=0").await["log"][0]["state"], "faulted");
    }
}

#[tokio::test]
async fn goaway_with_a_fault_loses_the_request() {
    let fixture = Fixture::start().await;
    let steps = json!([{ "commit": true, "before": "fin", "goaway": true }]);
    let origin = play(&fixture, steps).await;
    let mut client = Http2::connect(&origin).await;
    assert!(client.get().await.is_err());
    // GOAWAY with NO_ERROR is an orderly end of the connection, whatever became of the stream.
    let ended = client.ended.await.unwrap();
    assert!(ended.is_ok() || ended.unwrap_err().is_go_away());
    assert_eq!(origin.wait("commits=1&open=0").await["requests"], 1);
}

#[tokio::test]
async fn goaway_with_a_code_is_told_to_the_client() {
    let fixture = Fixture::start().await;
    let steps = json!([{ "before": "reset", "goaway": true, "rstStream": 11 }]);
    let origin = play(&fixture, steps).await;
    let mut client = Http2::connect(&origin).await;
    assert!(client.get().await.is_err());
    let error = client.ended.await.unwrap().unwrap_err();
    assert!(error.is_go_away() && error.is_remote(), "{error}");
    assert_eq!(error.reason(), Some(Reason::ENHANCE_YOUR_CALM));
}

#[tokio::test]
async fn goaway_with_an_answer_lets_it_finish() {
    let fixture = Fixture::start().await;
    let origin = play(&fixture, json!([{ "body": "last", "goaway": true }])).await;
    let mut client = Http2::connect(&origin).await;
    assert_eq!(read(client.get().await.unwrap()).await.unwrap(), b"last");
    assert!(client.ended.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_client_that_resets_or_leaves_is_reported() {
    let fixture = Fixture::start().await;
    let hang = json!({ "before": "hang" });
    let stall = json!({ "chunks": [{ "text": "{" }], "end": "hang" });
    let origin = play(&fixture, json!([hang, stall, hang])).await;
    let client = Http2::connect(&origin).await;
    let send = async |number: u64| {
        let request = Request::get("https://127.0.0.1/a").body(()).unwrap();
        let mut send = client.send.clone().ready().await.unwrap();
        let sent = send.send_request(request, true).unwrap();
        origin.wait(&format!("requests={number}")).await;
        sent
    };
    let (_response, mut stream) = send(1).await;
    stream.send_reset(Reason::CANCEL);
    origin.wait("closes=1").await;
    let (response, stream) = send(2).await;
    let response = response.await.unwrap();
    drop((response, stream));
    origin.wait("closes=2").await;
    let _third = send(3).await;
    client.ended.abort();
    let report = origin.wait("closes=3&open=0&connectionsOpen=0").await;
    assert_eq!(report["log"][2]["state"], "closed");
}

#[tokio::test]
async fn without_http2_alpn_offers_http_1_1_only() {
    let fixture = Fixture::start().await;
    let script = json!({ "routes": [{ "path": "/a", "steps": [{ "body": "ok" }] }] });
    let origin = fixture.open(json!({ "tls": true, "script": script })).await;
    let mut tls = connect_tls(&origin, &[b"h2", b"http/1.1"]).await;
    assert_eq!(tls.get_ref().1.alpn_protocol(), Some(b"http/1.1".as_slice()));
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    tls.write_all(b"GET /a HTTP/1.1\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    tls.read_to_string(&mut answer).await.unwrap();
    assert!(answer.ends_with("\r\n\r\nok"), "{answer}");
}
