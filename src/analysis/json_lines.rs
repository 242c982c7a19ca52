//! Bounded lines of input and output: long lines are skipped, and writers wait while too much
//! output is pending.

use pentarch_protocol::input::LineReader;
use serde::Serialize;
use std::collections::VecDeque;
use std::io;
use std::io::BufRead;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InputLine {
    /// The line without its end.
    Bytes(Vec<u8>),
    /// A line of more than [`MAX_LINE`](pentarch_protocol::input::MAX_LINE) bytes. It was skipped, but its id was read.
    TooLong(Option<String>),
}

/// Reads the next line. Returns `None` at the end of the input.
pub(super) fn next_line(reader: &mut LineReader<impl BufRead>) -> io::Result<Option<InputLine>> {
    let mut recovery = IdRecovery::default();
    let line = reader.read_bytes(|piece| recovery.push(piece))?;
    Ok(line.map(|line| match line {
        Ok(bytes) => InputLine::Bytes(bytes.to_vec()),
        Err(_) => InputLine::TooLong(recovery.id()),
    }))
}

/// The maximum length of an id in bytes. Every answer repeats the id.
pub(super) const MAX_ID_BYTES: usize = 4096;

/// Recovers the field `id` of the outermost object from a text that is not a valid query: too long,
/// too deep, or not JSON. The text is scanned in pieces; only the id is stored.
#[derive(Debug, Default)]
pub(super) struct IdRecovery {
    depth: usize,
    state: ScanState,
    string: Option<Vec<u8>>,
    escaped: bool,
    found: Option<String>,
}

/// What the next string of the outermost object is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ScanState {
    #[default]
    Key,
    /// The colon after `id` is expected.
    AfterId,
    Id,
    Other,
}

impl IdRecovery {
    /// Scans the next piece.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.found.is_some() {
                return;
            }
            match &mut self.string {
                Some(_) => self.push_in_string(byte),
                None => self.push_outside(byte),
            }
        }
    }

    /// Returns the id, if it was found.
    pub(super) fn id(self) -> Option<String> {
        self.found
    }

    fn push_in_string(&mut self, byte: u8) {
        let Some(string) = &mut self.string else { return };
        if byte == b'"' && !self.escaped {
            let string = self.string.take().unwrap_or_default();
            if self.depth == 1 {
                self.end_string(&string);
            }
            return;
        }
        self.escaped = byte == b'\\' && !self.escaped;
        if self.depth == 1 && string.len() <= MAX_ID_BYTES {
            string.push(byte);
        }
    }

    fn end_string(&mut self, string: &[u8]) {
        self.state = match self.state {
            ScanState::Key if string == b"id" => ScanState::AfterId,
            ScanState::Id => {
                if string.len() <= MAX_ID_BYTES {
                    let quoted = [b"\"", string, b"\""].concat();
                    self.found = serde_json::from_slice(&quoted).ok();
                }
                ScanState::Other
            }
            _ => ScanState::Other,
        };
    }

    fn push_outside(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.string = Some(Vec::new());
                self.escaped = false;
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b',' if self.depth == 1 => self.state = ScanState::Key,
            b':' if self.state == ScanState::AfterId && self.depth == 1 => {
                self.state = ScanState::Id;
            }
            _ => {}
        }
    }
}

/// Returns the id of a text.
pub(super) fn recover_id(text: &[u8]) -> Option<String> {
    let mut recovery = IdRecovery::default();
    recovery.push(text);
    recovery.id()
}

/// Sends lines to a [`LineReceiver`].
#[derive(Debug)]
pub(super) struct LineSender(Arc<OutputQueue>);

/// Receives the lines of all [`LineSender`]s.
#[derive(Debug)]
pub(super) struct LineReceiver(Arc<OutputQueue>);

/// Ends the server when its output has no reader any more.
#[derive(Debug)]
pub struct CancelHandle(Arc<OutputQueue>);

/// The output has no reader any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutputClosed;

/// The limit of pending output above which a sender waits. A client may send all of its queries
/// before it reads the first answer. So searches wait early, but the thread that reads queries,
/// which also sends errors and acknowledgments, waits late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BackpressureLimit {
    /// For the answers of searches.
    Search,
    /// For the replies of the thread that reads queries.
    Input,
}

impl BackpressureLimit {
    const fn bytes(self) -> usize {
        match self {
            BackpressureLimit::Search => 4 << 20,
            BackpressureLimit::Input => 32 << 20,
        }
    }
}

#[derive(Debug, Default)]
struct OutputQueue {
    state: Mutex<OutputState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct OutputState {
    lines: VecDeque<String>,
    bytes: usize,
    /// The number of senders.
    senders: usize,
    is_closed: bool,
}

/// Creates a bounded queue of lines.
pub(super) fn output_channel() -> (LineSender, LineReceiver) {
    let shared = Arc::new(OutputQueue::default());
    shared.lock().senders = 1;
    (LineSender(Arc::clone(&shared)), LineReceiver(shared))
}

impl LineSender {
    /// Sends a value as a line. Blocks while the queue is full.
    pub(super) fn send(&self, value: &impl Serialize, limit: BackpressureLimit) {
        let line = to_line(value);
        let full = |state: &mut OutputState| !state.is_closed && state.bytes >= limit.bytes();
        let state = self.0.changed.wait_while(self.0.lock(), full);
        self.0.push(state.unwrap_or_else(PoisonError::into_inner), line);
    }

    /// Sends a value as a line, or drops it if the queue is full.
    pub(super) fn offer(&self, value: &impl Serialize) {
        let line = to_line(value);
        let state = self.0.lock();
        if state.bytes < BackpressureLimit::Search.bytes() {
            self.0.push(state, line);
        }
    }
}

fn to_line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

impl Clone for LineSender {
    fn clone(&self) -> LineSender {
        self.0.lock().senders += 1;
        LineSender(Arc::clone(&self.0))
    }
}

impl Drop for LineSender {
    fn drop(&mut self) {
        self.0.lock().senders -= 1;
        self.0.changed.notify_all();
    }
}

impl LineReceiver {
    /// Returns a handle that ends the server.
    pub(super) fn cancel_handle(&self) -> CancelHandle {
        CancelHandle(Arc::clone(&self.0))
    }

    /// Waits for the next line. Returns `None` after the last, when no sender is left.
    pub(super) fn next(&self) -> Result<Option<String>, OutputClosed> {
        let idle = |state: &mut OutputState| {
            state.lines.is_empty() && state.senders > 0 && !state.is_closed
        };
        let state = self.0.changed.wait_while(self.0.lock(), idle);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.is_closed {
            return Err(OutputClosed);
        }
        let line = state.lines.pop_front();
        state.bytes -= line.as_ref().map_or(0, String::len);
        self.0.changed.notify_all();
        Ok(line)
    }
}

/// Wakes the senders that wait.
impl Drop for LineReceiver {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl CancelHandle {
    /// Ends the server.
    pub fn cancel(self) {
        self.0.close();
    }
}

impl OutputQueue {
    fn lock(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, mut state: MutexGuard<'_, OutputState>, line: String) {
        if !state.is_closed {
            state.bytes += line.len();
            state.lines.push_back(line);
            self.changed.notify_all();
        }
    }

    fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.lines.clear();
        state.bytes = 0;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_protocol::input::MAX_LINE;
    use std::io::BufReader;
    use std::thread;

    fn lines(bytes: &[u8]) -> Vec<InputLine> {
        let mut reader = LineReader::new(BufReader::with_capacity(3, bytes));
        std::iter::from_fn(|| next_line(&mut reader).unwrap()).collect()
    }

    fn text(text: &str) -> InputLine {
        InputLine::Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn both_line_ends_are_read() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\nb\r\n\nc"), [text("a"), text("b"), text(""), text("c")]);
    }

    #[test]
    fn only_the_id_of_a_long_line_is_kept() {
        let long = "x".repeat(MAX_LINE);
        let bytes = format!("{{\"x\":\"{long}\",\"id\":\"late\"}}\nb\n{long}\n{long}x");
        let expected = [
            InputLine::TooLong(Some("late".into())),
            text("b"),
            text(&long),
            InputLine::TooLong(None),
        ];
        let mut reader = LineReader::new(BufReader::new(bytes.as_bytes()));
        for line in expected {
            assert!(next_line(&mut reader).unwrap() == Some(line));
        }
        assert_eq!(next_line(&mut reader).unwrap(), None);
    }

    #[test]
    fn the_id_of_the_outermost_object_is_found() {
        let deep = format!(r#"{{"moves":{}, "id" : "deep"}}"#, "[".repeat(9) + &"]".repeat(9));
        for (text, expected) in [
            (r#"{"id":"a","moves":[}"#, Some("a")),
            (r#"{"x":{"id":"no"},"y":["id","no"],"id":"b"#, None),
            (r#"{"x":{"id":"no"},"y":["id","no"],"id":"b""#, Some("b")),
            (r#"{"x":"id","id":"q\"\\\u00e9"}"#, Some("q\"\\é")),
            (r#"{"x":"\\","id":"c"}"#, Some("c")),
            (r#"{"id":7}"#, None),
            (r#"{"id":null,"x":"id"}"#, None),
            ("\u{1}\u{2}", None),
            ("", None),
            (&deep, Some("deep")),
        ] {
            assert_eq!(recover_id(text.as_bytes()).as_deref(), expected, "{text}");
            let mut recovery = IdRecovery::default();
            text.bytes().for_each(|byte| recovery.push(&[byte]));
            assert_eq!(recovery.id().as_deref(), expected, "{text} byte by byte");
        }
        assert_eq!(recover_id(b"{\"id\":\"\xff\"}"), None);
        assert_eq!(recover_id(b"{\"id\":\"ok\",\"x\":\"\xff\"}").as_deref(), Some("ok"));
    }

    #[test]
    fn a_long_id_is_not_recovered() {
        let text = format!(r#"{{"id":"{}"}}"#, "x".repeat(MAX_ID_BYTES + 1));
        assert_eq!(recover_id(text.as_bytes()), None);
    }

    #[test]
    fn the_lines_end_when_no_sender_is_left() {
        let (output, lines) = output_channel();
        let other = output.clone();
        output.send(&1, BackpressureLimit::Search);
        drop(output);
        other.send(&2, BackpressureLimit::Input);
        drop(other);
        let all: Vec<_> = std::iter::from_fn(|| lines.next().unwrap()).collect();
        assert_eq!(all, ["1\n", "2\n"]);
    }

    #[test]
    fn searches_wait_before_the_reading_thread() {
        let (output, lines) = output_channel();
        output.send(&"x".repeat(BackpressureLimit::Search.bytes()), BackpressureLimit::Search);
        output.offer(&"never");
        thread::scope(|scope| {
            let waiting = output.clone();
            let waiting = scope.spawn(move || waiting.send(&"late", BackpressureLimit::Search));
            output.send(&"early", BackpressureLimit::Input);
            assert!(lines.next().unwrap().unwrap().len() > BackpressureLimit::Search.bytes());
            waiting.join().unwrap();
        });
        let mut left = [lines.next(), lines.next()].map(|line| line.unwrap().unwrap());
        left.sort();
        assert_eq!(left, ["\"early\"\n", "\"late\"\n"]);
    }

    #[test]
    fn no_sender_waits_after_the_output_is_closed() {
        let (output, lines) = output_channel();
        output.send(&"x".repeat(BackpressureLimit::Search.bytes()), BackpressureLimit::Search);
        thread::scope(|scope| {
            let waiting = output.clone();
            let waiting = scope.spawn(move || waiting.send(&"late", BackpressureLimit::Search));
            lines.cancel_handle().cancel();
            waiting.join().unwrap();
        });
        assert_eq!(lines.next(), Err(OutputClosed));
    }
}
