//! gzip, of a whole body or of one flush at a time.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::body::Data;

/// A stream of which every piece can be decoded as soon as it arrives.
pub(crate) struct GzipStream(GzEncoder<Vec<u8>>);

impl GzipStream {
    pub(crate) fn new() -> Self {
        Self(GzEncoder::new(Vec::new(), Compression::default()))
    }

    /// The compressed form of `block`, up to a sync flush.
    pub(crate) fn push(&mut self, block: &[u8]) -> Bytes {
        self.write(block);
        // Writing to a Vec cannot fail.
        let _ = self.0.flush();
        Bytes::from(std::mem::take(self.0.get_mut()))
    }

    /// The trailer, with checksum and length.
    pub(crate) fn finish(self) -> Bytes {
        Bytes::from(self.0.finish().unwrap_or_default())
    }

    fn write(&mut self, block: &[u8]) {
        let _ = self.0.write_all(block);
    }
}

/// The compressed form of a whole body.
pub(crate) fn compress(mut data: Data) -> Bytes {
    let mut stream = GzipStream::new();
    while let Some(block) = data.next_block() {
        stream.write(&block);
    }
    stream.finish()
}
