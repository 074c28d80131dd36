//! The control origin, which everything else is reached from.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::control::Control;
use crate::http1;
use crate::listener::admit;
use crate::service::Service;
use crate::static_files::StaticFiles;

/// A fault server. It listens on loopback only.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    statics: StaticFiles,
}

impl Server {
    /// Listens on that port of loopback, on any free one for 0.
    ///
    /// # Errors
    /// The port is taken.
    pub async fn bind(port: u16, statics: StaticFiles) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, statics })
    }

    /// The control origin.
    #[must_use]
    pub fn control(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Serves until dropped, which closes every connection of the control origin.
    pub async fn run(self) {
        let control = Arc::new(Control::new(self.statics));
        let mut connections = JoinSet::new();
        let mut id = 0;
        loop {
            tokio::select! {
                accepted = self.listener.accept() => {
                    let Some(socket) = admit(accepted.map(|(stream, _)| stream)).await else { continue };
                    id += 1;
                    let service = Service::Control(control.clone());
                    connections.spawn(http1::serve(socket.clone(), socket, id, service));
                }
                Some(_) = connections.join_next() => {}
            }
        }
    }
}
