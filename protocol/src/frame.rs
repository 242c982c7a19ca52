//! Lines out of a byte stream: the layer below every dialect, for both sides.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes, its end not counted.
pub const MAX_LINE: usize = 1 << 20;

/// What a [`LineReader`] found up to the next line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The line without its end and without control characters.
    Text(String),
    /// A line of more than [`MAX_LINE`] bytes, which was skipped.
    TooLong,
    /// A line that is not UTF-8, which was skipped.
    NotUtf8,
}

/// Why a line was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// It has more than [`MAX_LINE`] bytes.
    #[error("a line longer than 1 MiB was not read")]
    TooLong,
    /// It is not UTF-8.
    #[error("a line that is not UTF-8 was not read")]
    NotUtf8,
}

impl Line {
    /// The line's text, or why there is none.
    ///
    /// # Errors
    /// The line was skipped.
    pub fn text(&self) -> Result<&str, Unread> {
        match self {
            Self::Text(text) => Ok(text),
            Self::TooLong => Err(Unread::TooLong),
            Self::NotUtf8 => Err(Unread::NotUtf8),
        }
    }
}

/// Cuts a byte stream into lines.
///
/// A line ends with LF or CR LF; the last one may lack its end. One bad line
/// never spoils the next, and no input makes the reader store more than one
/// line of [`MAX_LINE`] bytes.
///
/// ```
/// use pentarch_protocol::frame::{Line, LineReader};
///
/// let mut lines = LineReader::new(&b"isready\r\nquit"[..]);
/// assert_eq!(lines.read().unwrap(), Some(Line::Text("isready".to_owned())));
/// assert_eq!(lines.read().unwrap(), Some(Line::Text("quit".to_owned())));
/// assert_eq!(lines.read().unwrap(), None);
/// ```
#[derive(Debug)]
pub struct LineReader<R: BufRead> {
    source: R,
    /// What was read of the line.
    bytes: Vec<u8>,
    /// Whether the line is too long and its rest is skipped.
    skips: bool,
}

impl<R: BufRead> LineReader<R> {
    /// A reader of the lines of `source`.
    pub fn new(source: R) -> Self {
        Self { source, bytes: Vec::new(), skips: false }
    }

    /// Where the lines come from.
    pub fn get_ref(&self) -> &R {
        &self.source
    }

    /// The next line, or nothing at the end of the input.
    ///
    /// This blocks until the line is complete. An error loses nothing: after
    /// [`io::ErrorKind::WouldBlock`] from a source that does not block, the
    /// next call goes on with the same line.
    pub fn read(&mut self) -> io::Result<Option<Line>> {
        const LIMIT: usize = MAX_LINE + 2; // the line and CR LF
        if !self.skips {
            let room = (LIMIT - self.bytes.len()) as u64;
            self.source.by_ref().take(room).read_until(b'\n', &mut self.bytes)?;
            self.skips = self.bytes.len() == LIMIT && !self.bytes.ends_with(b"\n");
        }
        if self.bytes.is_empty() {
            return Ok(None);
        }
        if self.skips {
            self.source.skip_until(b'\n')?;
        }
        let line = if self.skips { Line::TooLong } else { text(&self.bytes) };
        self.skips = false;
        self.bytes.clear();
        Ok(Some(line))
    }
}

/// The line in these bytes, which may still have its end.
fn text(bytes: &[u8]) -> Line {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    if bytes.len() > MAX_LINE {
        return Line::TooLong;
    }
    std::str::from_utf8(bytes).map_or(Line::NotUtf8, |line| Line::Text(clean(line).into_owned()))
}

/// The line with each TAB as a space and without all other control characters.
///
/// A byte order mark, which some shells put in front of the first line, is
/// dropped too. All parsers of this crate do this to their input by themselves.
pub fn clean(line: &str) -> Cow<'_, str> {
    let unwanted = |c: char| c.is_control() || c == '\u{feff}';
    if !line.contains(unwanted) {
        return Cow::Borrowed(line);
    }
    let kept = line.chars().map(|c| if c == '\t' { ' ' } else { c });
    Cow::Owned(kept.filter(|&c| !unwanted(c)).collect())
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        // A tiny buffer, so that every line crosses its border.
        let mut reader = LineReader::new(BufReader::with_capacity(3, bytes));
        std::iter::from_fn(|| reader.read().unwrap()).collect()
    }

    fn line(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn line_ends() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\nb\r\n\nc"), [line("a"), line("b"), line(""), line("c")]);
        assert_eq!(lines(b"a\r\r\n"), [line("a")]);
        assert_eq!(lines(b"\n"), [line("")]);
        assert_eq!(lines(b"quit\r"), [line("quit")]);
    }

    #[test]
    fn control_characters() {
        let found = lines("\u{feff}pl\0ay\tB\u{7f} K10\x1b[0m\n".as_bytes());
        assert_eq!(found, [line("play B K10[0m")]);
    }

    #[test]
    fn a_bad_line_does_not_spoil_the_next() {
        assert_eq!(lines(b"a\n\xff\xfe\nb\n"), [line("a"), Line::NotUtf8, line("b")]);
        for (length, fits) in [(MAX_LINE, true), (MAX_LINE + 1, false), (3 * MAX_LINE, false)] {
            for end in ["\n", "\r\n"] {
                let long = "x".repeat(length);
                let mut reader = LineReader::new(io::Cursor::new(format!("{long}{end}b")));
                let expected = if fits { line(&long) } else { Line::TooLong };
                assert!(reader.read().unwrap() == Some(expected), "{length} {end:?}");
                assert_eq!(reader.read().unwrap(), Some(line("b")));
                assert_eq!(reader.read().unwrap(), None);
            }
        }
    }

    /// A source that gives a few bytes at a time and has nothing at hand in between.
    struct Halting<'a>(&'a [u8], bool);

    impl Read for Halting<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let length = buffer.len().min(300_000);
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn a_source_that_does_not_block_loses_nothing() {
        let long = "x".repeat(3 * MAX_LINE);
        let text = format!("{}\n{long}\nb\r\n\nc", &long[..MAX_LINE]);
        for capacity in [3, 1 << 20] {
            let source = BufReader::with_capacity(capacity, Halting(text.as_bytes(), false));
            let mut reader = LineReader::new(source);
            let mut found = Vec::new();
            loop {
                match reader.read() {
                    Ok(Some(line)) => found.push(line),
                    Ok(None) => break,
                    Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
                }
            }
            let expected = [line(&long[..MAX_LINE]), Line::TooLong, line("b"), line(""), line("c")];
            assert!(found == expected, "{} lines", found.len());
        }
    }

    #[test]
    fn too_long_without_an_end() {
        for length in [MAX_LINE + 1, MAX_LINE + 2, MAX_LINE + 3] {
            let mut reader = LineReader::new(io::Cursor::new("x".repeat(length)));
            assert_eq!(reader.read().unwrap(), Some(Line::TooLong));
            assert_eq!(reader.read().unwrap(), None);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_give_one_line_a_line_end(bytes: Vec<u8>) {
            let mut pieces: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
            if pieces.last().is_some_and(|last| last.is_empty()) {
                pieces.pop();
            }
            let found = lines(&bytes);
            prop_assert_eq!(found.len(), pieces.len());
            for line in found {
                if let Line::Text(text) = line {
                    prop_assert!(!text.contains(char::is_control));
                }
            }
        }
    }
}
