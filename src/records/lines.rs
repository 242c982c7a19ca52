//! Lines of a stream, numbered, none of them longer than memory can hold.

use super::charset::{Charset, Decoder};
use super::source::MOST_BYTES;
use std::io::{self, BufRead, BufReader, Read};

/// The lines of a stream.
pub(super) struct Lines {
    from: BufReader<Box<dyn Read>>,
    decoder: Decoder,
    number: usize,
    /// A line that was handed back.
    back: Option<Line>,
}

/// A line without its end.
pub(super) struct Line {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: String,
}

impl Lines {
    pub(super) fn new(from: BufReader<Box<dyn Read>>, mut decoder: Decoder) -> Lines {
        decoder.look_at(from.buffer().split(|&byte| byte == b'\n'));
        Lines { from, decoder, number: 0, back: None }
    }

    /// The character set that was guessed, if one was.
    pub(super) fn guessed(&self) -> Option<Charset> {
        self.decoder.guessed()
    }

    /// The next call returns this line again.
    pub(super) fn hand_back(&mut self, line: Line) {
        self.back = Some(line);
    }

    pub(super) fn next(&mut self) -> Option<io::Result<Line>> {
        if let Some(line) = self.back.take() {
            return Some(Ok(line));
        }
        let mut bytes = Vec::new();
        let mut read = (&mut self.from).take(MOST_BYTES + 1);
        match read.read_until(b'\n', &mut bytes) {
            Err(error) => return Some(Err(error)),
            Ok(0) => return None,
            Ok(_) => self.number += 1,
        }
        if bytes.len() as u64 > MOST_BYTES {
            let reason = format!("line {} is longer than {} MiB", self.number, MOST_BYTES >> 20);
            return Some(Err(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
        }
        while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            bytes.pop();
        }
        Some(Ok(Line { number: self.number, text: self.decoder.decode(bytes) }))
    }
}
