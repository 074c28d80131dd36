//! The listening side of an origin: a port that can refuse, listen, and refuse again.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::origin::Origin;
use crate::service::Service;
use crate::socket::Socket;
use crate::tls::Acceptor;
use crate::{http1, http2};

/// Connections the kernel may hold for us until they are accepted.
const BACKLOG: u32 = 1024;

/// A loopback port of ours.
pub(crate) enum Port {
    /// Taken, so that nobody else gets the number, but without a listener: connections are refused.
    Refusing(TcpSocket),
    Listening(TcpListener),
}

impl Port {
    /// Takes a port, any free one for number 0.
    pub(crate) fn bind(number: u16) -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        // A port that was listened on is taken again while its last connections still exist. Afterwards the option is off:
        // with it, and without a listener, another process could listen on the same port and answer in our place.
        socket.set_reuseaddr(number != 0)?;
        socket.bind(SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, number)))?;
        socket.set_reuseaddr(false)?;
        Ok(Self::Refusing(socket))
    }

    pub(crate) fn listen(self) -> io::Result<Self> {
        match self {
            Self::Refusing(socket) => {
                // Connections inherit it, which lets the port be taken again after them.
                socket.set_reuseaddr(true)?;
                socket.listen(BACKLOG).map(Self::Listening)
            }
            listening @ Self::Listening(_) => Ok(listening),
        }
    }

    pub(crate) fn number(&self) -> io::Result<u16> {
        let address = match self {
            Self::Refusing(socket) => socket.local_addr(),
            Self::Listening(listener) => listener.local_addr(),
        };
        address.map(|address| address.port())
    }

    /// The same port, listening or refusing.
    fn switch(self, listening: bool) -> io::Result<Self> {
        match self {
            Self::Listening(listener) if !listening => {
                let number = listener.local_addr()?.port();
                drop(listener);
                Self::bind(number)
            }
            port if listening => port.listen(),
            port => Ok(port),
        }
    }

    /// The next connection; never, while refusing.
    async fn accept(&self) -> io::Result<TcpStream> {
        match self {
            Self::Refusing(_) => std::future::pending().await,
            Self::Listening(listener) => listener.accept().await.map(|(stream, _)| stream),
        }
    }
}

/// Serves an origin until the task is aborted, and with it every connection.
pub(crate) async fn serve(origin: Arc<Origin>, mut port: Port, acceptor: Option<Acceptor>, mut to_reset: u64) {
    let mut connections = JoinSet::new();
    let mut wanted = origin.listening_wanted();
    // `refuseFor` may have spoken before this task ran.
    wanted.mark_changed();
    loop {
        tokio::select! {
            biased;
            Some(_) = connections.join_next() => {}
            Ok(()) = wanted.changed() => {
                let listening = *wanted.borrow_and_update();
                if !listening {
                    // A server that went down takes its connections with it; else a client would not notice.
                    connections.shutdown().await;
                }
                let switched = port.switch(listening);
                origin.listening_is(listening);
                // Between two listeners another process can take the port: nothing is left to serve then.
                let Ok(switched) = switched else { return };
                port = switched;
            }
            accepted = port.accept() => {
                let Some(socket) = admit(accepted).await else { continue };
                let reset = to_reset > 0;
                let connection = Connection::new(origin.clone(), reset);
                if reset {
                    to_reset -= 1;
                    socket.reset_on_close();
                    continue;
                }
                connections.spawn(connect(connection, socket, acceptor.clone()));
            }
        }
    }
}

/// The socket of an accepted connection, ready for use.
pub(crate) async fn admit(accepted: io::Result<TcpStream>) -> Option<Socket> {
    match accepted.and_then(Socket::new) {
        Ok(socket) => Some(socket),
        Err(_) => {
            // The client was gone at once, or we are out of descriptors: the latter passes when connections end.
            tokio::time::sleep(Duration::from_millis(10)).await;
            None
        }
    }
}

async fn connect(connection: Connection, socket: Socket, acceptor: Option<Acceptor>) {
    let service = Service::Origin(connection.origin.clone());
    let Some(acceptor) = acceptor else {
        return http1::serve(socket.clone(), socket, connection.id, service).await;
    };
    // A client that breaks off the handshake is nobody's case.
    let Ok(stream) = acceptor.accept(socket.clone()).await else { return };
    if connection.origin.http2 {
        http2::serve(stream, socket, connection.id, service).await;
    } else {
        http1::serve(stream, socket, connection.id, service).await;
    }
}

/// Counts a connection as open while it lives.
struct Connection {
    origin: Arc<Origin>,
    id: u64,
}

impl Connection {
    fn new(origin: Arc<Origin>, reset: bool) -> Self {
        let mut id = 0;
        origin.record(|report, _| {
            report.connections += 1;
            report.connections_open += 1;
            report.connections_reset += u64::from(reset);
            id = report.connections;
        });
        Self { origin, id }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.origin.record(|report, _| report.connections_open -= 1);
    }
}
