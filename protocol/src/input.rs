//! Bounded input: lines from a byte stream, and a limit on the bytes that wait to be processed.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The longest line that is read, in bytes, without its line end.
pub const MAX_LINE: usize = 1 << 20;

/// Why a line was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// It has more than [`MAX_LINE`] bytes.
    #[error("a line longer than 1 MiB was not read")]
    TooLong,
    /// It is not UTF-8.
    #[error("a line that is not UTF-8 was not read")]
    NotUtf8,
}

/// Splits a byte stream into lines.
///
/// A line ends with LF or CR LF; the last one may lack its end. A bad line does not affect the next
/// one, and the reader never stores more than one line of [`MAX_LINE`] bytes.
///
/// ```
/// use pentarch_protocol::input::LineReader;
///
/// let mut reader = LineReader::new(&b"isready\r\nquit"[..]);
/// assert_eq!(reader.read().unwrap(), Some(Ok("isready".to_owned())));
/// assert_eq!(reader.read().unwrap(), Some(Ok("quit".to_owned())));
/// assert_eq!(reader.read().unwrap(), None);
/// ```
#[derive(Debug)]
pub struct LineReader<R: BufRead> {
    source: R,
    /// The line as far as it was read, with its end once it is complete.
    line: Vec<u8>,
    /// Whether the line was returned, so that the next call starts another one.
    complete: bool,
    /// Whether the line is too long and the rest of it is skipped.
    skipping: bool,
}

impl<R: BufRead> LineReader<R> {
    /// Creates a reader of the lines of `source`.
    pub fn new(source: R) -> Self {
        Self { source, line: Vec::new(), complete: false, skipping: false }
    }

    /// Returns the source.
    pub fn get_ref(&self) -> &R {
        &self.source
    }

    /// Reads the next line as text without control characters (see [`clean`]); `None` at the end of
    /// the input.
    ///
    /// Blocks until the line is complete. After an error, such as [`ErrorKind::WouldBlock`] of a
    /// source that does not block, the next call continues with the same line.
    ///
    /// # Errors
    /// Reading the source failed.
    pub fn read(&mut self) -> io::Result<Option<Result<String, LineError>>> {
        let line = self.read_bytes(|_| ())?;
        let text = |bytes| std::str::from_utf8(bytes).map_err(|_| LineError::NotUtf8);
        Ok(line.map(|line| line.and_then(text).map(|line| clean(line).into_owned())))
    }

    /// Reads the next line as bytes, as [`LineReader::read`] does. The bytes of a line that is too
    /// long are passed to `skipped`, in pieces.
    ///
    /// # Errors
    /// Reading the source failed.
    pub fn read_bytes(
        &mut self,
        mut skipped: impl FnMut(&[u8]),
    ) -> io::Result<Option<Result<&[u8], LineError>>> {
        const LIMIT: usize = MAX_LINE + 2; // the line and CR LF
        if std::mem::take(&mut self.complete) {
            self.line.clear();
        }
        if !self.skipping {
            let room = (LIMIT - self.line.len()) as u64;
            self.source.by_ref().take(room).read_until(b'\n', &mut self.line)?;
            if self.line.is_empty() {
                return Ok(None);
            }
            self.skipping = self.line.len() == LIMIT && !self.line.ends_with(b"\n");
            if self.skipping {
                skipped(&self.line);
            }
        }
        let is_skipped = self.skipping;
        while self.skipping {
            let piece = match self.source.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                piece => piece?,
            };
            let mut parts = piece.split_inclusive(|&byte| byte == b'\n');
            let part = parts.next().unwrap_or_default();
            skipped(part.strip_suffix(b"\n").unwrap_or(part));
            self.skipping = !part.is_empty() && !part.ends_with(b"\n");
            let used = part.len();
            self.source.consume(used);
        }
        self.complete = true;
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() <= MAX_LINE {
            return Ok(Some(Ok(line)));
        }
        if !is_skipped {
            skipped(line);
        }
        Ok(Some(Err(LineError::TooLong)))
    }
}

/// Replaces each TAB by a space and removes all other control characters and byte order marks, which
/// some shells put in front of the first line. All parsers of this crate do this to their input.
pub fn clean(line: &str) -> Cow<'_, str> {
    let unwanted = |c: char| c.is_control() || c == '\u{feff}';
    if !line.contains(unwanted) {
        return Cow::Borrowed(line);
    }
    let kept = line.chars().map(|c| if c == '\t' { ' ' } else { c });
    Cow::Owned(kept.filter(|&c| !unwanted(c)).collect())
}

/// A limit on the bytes that wait between a thread that reads and one that processes: the reader
/// blocks while too much waits.
///
/// Each item counts [`ByteBudget::OVERHEAD`] bytes more than its own, so that empty items are limited
/// too.
#[derive(Debug)]
pub struct ByteBudget {
    limit: usize,
    state: Mutex<BudgetState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct BudgetState {
    used: usize,
    closed: bool,
}

impl ByteBudget {
    /// What an item counts in addition to its bytes.
    pub const OVERHEAD: usize = 64;

    /// Creates a budget of `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Blocks until an item of `bytes` fits. One that is larger than the whole budget fits once
    /// nothing else waits. Returns false if the budget is closed.
    pub fn acquire(&self, bytes: usize) -> bool {
        let cost = bytes.saturating_add(Self::OVERHEAD);
        let is_full = |state: &mut BudgetState| {
            !state.closed && state.used > 0 && state.used.saturating_add(cost) > self.limit
        };
        let state = self.changed.wait_while(self.lock(), is_full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.used = state.used.saturating_add(cost);
        !state.closed
    }

    /// Returns what an item of `bytes` acquired.
    pub fn release(&self, bytes: usize) {
        let mut state = self.lock();
        state.used = state.used.saturating_sub(bytes.saturating_add(Self::OVERHEAD));
        self.changed.notify_all();
    }

    /// Ends all waiting, for good.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Returns the bytes in use, with the overhead of each item.
    pub fn used(&self) -> usize {
        self.lock().used
    }

    fn lock(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    type Line = Result<String, LineError>;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        // The buffer is so small that every line crosses its border.
        let mut reader = LineReader::new(BufReader::with_capacity(3, bytes));
        std::iter::from_fn(|| reader.read().unwrap()).collect()
    }

    #[expect(clippy::unnecessary_wraps, reason = "the type of a line that was read")]
    fn line(text: &str) -> Line {
        Ok(text.to_owned())
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
    fn a_bad_line_does_not_affect_the_next() {
        assert_eq!(lines(b"a\n\xff\xfe\nb\n"), [line("a"), Err(LineError::NotUtf8), line("b")]);
        for (length, fits) in [(MAX_LINE, true), (MAX_LINE + 1, false), (3 * MAX_LINE, false)] {
            for end in ["\n", "\r\n"] {
                let long = "x".repeat(length);
                let mut reader = LineReader::new(io::Cursor::new(format!("{long}{end}b")));
                let expected = if fits { line(&long) } else { Err(LineError::TooLong) };
                assert!(reader.read().unwrap() == Some(expected), "{length} {end:?}");
                assert_eq!(reader.read().unwrap(), Some(line("b")));
                assert_eq!(reader.read().unwrap(), None);
            }
        }
    }

    /// A source that gives a few bytes at a time and would block in between.
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
            let too_long = Err(LineError::TooLong);
            let expected = [line(&long[..MAX_LINE]), too_long, line("b"), line(""), line("c")];
            assert!(found == expected, "{} lines", found.len());
        }
    }

    #[test]
    fn too_long_without_an_end() {
        for length in [MAX_LINE + 1, MAX_LINE + 2, MAX_LINE + 3] {
            let mut reader = LineReader::new(io::Cursor::new("x".repeat(length)));
            assert_eq!(reader.read().unwrap(), Some(Err(LineError::TooLong)));
            assert_eq!(reader.read().unwrap(), None);
        }
    }

    #[test]
    fn the_bytes_of_a_skipped_line_are_reported() {
        for length in [MAX_LINE + 1, MAX_LINE + 2, 3 * MAX_LINE] {
            let bytes = format!("a\n{}\nb", "x".repeat(length));
            let mut reader = LineReader::new(BufReader::new(bytes.as_bytes()));
            let mut skipped = 0;
            let mut read = || {
                let line = reader.read_bytes(|piece| skipped += piece.len()).unwrap();
                line.map(|line| line.map(<[u8]>::len))
            };
            let lines = [read(), read(), read(), read()];
            assert_eq!(lines, [Some(Ok(1)), Some(Err(LineError::TooLong)), Some(Ok(1)), None]);
            assert_eq!(skipped, length);
        }
    }

    #[test]
    fn a_budget_blocks_while_too_much_waits() {
        let budget = Arc::new(ByteBudget::new(1000));
        let writer = {
            let budget = Arc::clone(&budget);
            thread::spawn(move || (0..9).take_while(|_| budget.acquire(300)).count())
        };
        while budget.used() < 2 * (300 + ByteBudget::OVERHEAD) {
            thread::sleep(Duration::from_millis(1));
        }
        for _ in 0..4 {
            budget.release(300);
        }
        thread::sleep(Duration::from_millis(20));
        assert!(budget.used() <= 1000);
        budget.close();
        assert!(writer.join().unwrap() < 9, "closing the budget unblocks the writer");
        assert!(ByteBudget::new(10).acquire(1000), "a large item fits an empty budget");
    }

    proptest! {
        #[test]
        fn any_bytes_give_one_line_for_each_line_end(bytes: Vec<u8>) {
            let mut pieces: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
            if pieces.last().is_some_and(|last| last.is_empty()) {
                pieces.pop();
            }
            let found = lines(&bytes);
            prop_assert_eq!(found.len(), pieces.len());
            for text in found.into_iter().flatten() {
                prop_assert!(!text.contains(char::is_control));
            }
        }
    }
}
