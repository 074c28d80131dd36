//! Generated bodies of any size, of which every part can be told from every other.

use bytes::Bytes;

/// How much is generated, and handed to the socket, at a time.
const BLOCK: u64 = 64 * 1024;
/// Length of a line of [`Fill::Counter`].
const LINE: usize = 16;

/// What a generated body consists of.
#[derive(Clone, Debug)]
pub(crate) enum Fill {
    /// Lines of 16 bytes: the offset of the line as 15 hexadecimal digits, and a line feed. A byte that is missing,
    /// doubled or out of place shows.
    Counter,
    /// This text, repeated. Never empty.
    Text(Bytes),
}

/// The bytes from `start` to `end` of an endless body of that filling.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    start: u64,
    end: u64,
    fill: Fill,
}

impl Span {
    pub(crate) fn new(start: u64, end: u64, fill: Fill) -> Self {
        Self { start, end, fill }
    }

    pub(crate) fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Takes at most one block off the front.
    pub(crate) fn next_block(&mut self) -> Option<Bytes> {
        let length = self.len().min(BLOCK) as usize;
        if length == 0 {
            return None;
        }
        let period = match &self.fill {
            Fill::Counter => LINE,
            Fill::Text(text) => text.len(),
        };
        let skip = (self.start % period as u64) as usize;
        let mut block = Vec::with_capacity(skip + length + period);
        match &self.fill {
            Fill::Counter => {
                let mut offset = self.start - skip as u64;
                while block.len() < skip + length {
                    push_line(&mut block, offset);
                    offset += LINE as u64;
                }
            }
            Fill::Text(text) => {
                while block.len() < skip + length {
                    block.extend_from_slice(text);
                }
            }
        }
        self.start += length as u64;
        Some(Bytes::from(block).slice(skip..skip + length))
    }
}

fn push_line(block: &mut Vec<u8>, offset: u64) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for place in (0..15).rev() {
        block.push(DIGITS[(offset >> (4 * place) & 15) as usize]);
    }
    block.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(mut span: Span) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some(block) = span.next_block() {
            all.extend_from_slice(&block);
        }
        all
    }

    #[test]
    fn a_part_equals_that_part_of_the_whole() {
        let whole = collect(Span::new(0, 200_000, Fill::Counter));
        let part = collect(Span::new(65_530, 150_001, Fill::Counter));
        assert_eq!(part, whole[65_530..150_001]);
        assert_eq!(&whole[..32], b"000000000000000\n000000000000010\n");
    }

    #[test]
    fn a_text_goes_on_where_the_block_before_ended() {
        let whole = collect(Span::new(0, 70_001, Fill::Text(Bytes::from_static(b"abc"))));
        assert!(whole.iter().enumerate().all(|(at, byte)| *byte == b"abc"[at % 3]));
        assert_eq!(whole.len(), 70_001);
    }
}
