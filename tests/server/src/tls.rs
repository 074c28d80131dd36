//! TLS with a certificate that is made on the spot; browsers are run with certificate errors ignored.

use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

use crate::socket::Socket;

/// Turns accepted sockets into TLS connections.
#[derive(Clone)]
pub(crate) struct Acceptor(TlsAcceptor);

impl Acceptor {
    /// Offers exactly one protocol by ALPN.
    pub(crate) fn new(http2: bool) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)?;
        let protocol: &[u8] = if http2 { b"h2" } else { b"http/1.1" };
        config.alpn_protocols = vec![protocol.to_vec()];
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    pub(crate) fn accept(&self, socket: Socket) -> Accept<Socket> {
        self.0.accept(socket)
    }
}

/// What [`Acceptor::accept`] ends in.
pub(crate) type Stream = TlsStream<Socket>;
