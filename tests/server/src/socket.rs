//! A TCP socket that can still be told how to die while a TLS or HTTP/2 layer owns it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A handle to one connection. The socket closes when the last clone is dropped; how it closes was decided before by
/// [`Socket::reset_on_close`].
#[derive(Clone, Debug)]
pub(crate) struct Socket(Arc<TcpStream>);

impl Socket {
    /// Takes over an accepted connection. Nagle is off: the point of a script is when which byte arrives.
    pub(crate) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self(Arc::new(stream)))
    }

    /// Makes the coming close an RST (SO_LINGER 0) instead of a FIN. What the kernel has not sent yet is thrown away.
    pub(crate) fn reset_on_close(&self) {
        // Fails only on a socket that is dead already, which is what is asked for.
        let _ = SockRef::from(&*self.0).set_linger(Some(Duration::ZERO));
    }

    /// Sends FIN, below any TLS layer: no `close_notify` goes out, as when a process dies.
    pub(crate) fn finish(&self) {
        let _ = SockRef::from(&*self.0).shutdown(std::net::Shutdown::Write);
    }
}

impl AsyncRead for Socket {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.poll_read_ready(cx))?;
            match self.0.try_read(buf.initialize_unfilled()) {
                Ok(read) => {
                    buf.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(cx))?;
            match self.0.try_write(buf) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return Poll::Ready(result),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.finish();
        Poll::Ready(Ok(()))
    }
}
