use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::error::Error;
use crate::reader::Reader;

/// The chunks of a body, as they come: [`Response::stream`](crate::Response::stream).
///
/// Ends after its first error. Dropped before the end, it cancels the rest of the body.
pub struct BodyStream {
    reader: Reader,
    /// Why there is nothing to read.
    refused: Option<Error>,
    ended: bool,
}

impl BodyStream {
    pub(crate) fn new(reader: Reader, refused: Option<Error>) -> Self {
        reader.streaming();
        Self { reader, refused, ended: false }
    }
}

impl Stream for BodyStream {
    type Item = Result<Vec<u8>, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if this.ended {
            return Poll::Ready(None);
        }
        if let Some(error) = this.refused.take() {
            this.ended = true;
            return Poll::Ready(Some(Err(error)));
        }
        match this.reader.poll_chunk(cx, false) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Ok(Some(chunk))) => Poll::Ready(Some(Ok(chunk))),
            Poll::Ready(Ok(None)) => {
                this.ended = true;
                this.reader.complete(Ok(()));
                Poll::Ready(None)
            }
            Poll::Ready(Err(error)) => {
                this.ended = true;
                Poll::Ready(Some(Err(error)))
            }
        }
    }
}

impl fmt::Debug for BodyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BodyStream").field("ended", &self.ended).finish_non_exhaustive()
    }
}
