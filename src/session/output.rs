//! The one way out.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes answers, each in one piece and flushed.
pub(super) struct Output {
    stream: Box<dyn Write>,
}

impl Output {
    pub(super) fn new(stream: impl Write + 'static) -> Output {
        Output { stream: Box::new(stream) }
    }

    /// Writes one line.
    pub(super) fn line(&mut self, line: &impl Display) -> io::Result<()> {
        self.send(&format!("{line}\n"))
    }

    /// Writes a text that ends its last line itself.
    pub(super) fn send(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            log::debug!("> {line}");
        }
        self.stream.write_all(text.as_bytes())?;
        self.stream.flush()
    }
}
