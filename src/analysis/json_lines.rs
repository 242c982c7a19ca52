//! Lines of input, of which a long one costs no memory.

use pentarch_protocol::input::LineReader;
use serde::Serialize;
use std::collections::VecDeque;
use std::io;
use std::io::BufRead;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What stands up to the next line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The line without its end.
    Bytes(Vec<u8>),
    /// A line of more than [`MAX_LINE`](pentarch_protocol::input::MAX_LINE) bytes, which was skipped, with the id that was seen in it.
    TooLong(Option<String>),
}

/// Reads the next line; `None` at the end of the input.
pub(super) fn next_line(reader: &mut LineReader<impl BufRead>) -> io::Result<Option<Line>> {
    let mut scanner = IdScanner::default();
    let line = reader.read_bytes(|piece| scanner.push(piece))?;
    Ok(line.map(|line| match line {
        Ok(bytes) => Line::Bytes(bytes.to_vec()),
        Err(_) => Line::TooLong(scanner.id()),
    }))
}

// The `id` of a text that is no query: too long, too deep, or not JSON.

/// The longest id, in bytes. It stands in every answer.
pub(super) const LONGEST_ID: usize = 4096;

/// Looks for the member `id` of the outermost object, a piece of the text at a time. Nothing is
/// stored but the id.
#[derive(Debug, Default)]
pub(super) struct IdScanner {
    depth: usize,
    place: Place,
    string: Option<Vec<u8>>,
    escaped: bool,
    found: Option<String>,
}

/// What the next string of the outermost object is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Key,
    /// The colon after `id` is still to come.
    AfterId,
    Id,
    Other,
}

impl IdScanner {
    /// Reads on.
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

    /// The id, if there was one so far.
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
        if self.depth == 1 && string.len() <= LONGEST_ID {
            string.push(byte);
        }
    }

    fn end_string(&mut self, string: &[u8]) {
        self.place = match self.place {
            Place::Key if string == b"id" => Place::AfterId,
            Place::Id => {
                if string.len() <= LONGEST_ID {
                    let quoted = [b"\"", string, b"\""].concat();
                    self.found = serde_json::from_slice(&quoted).ok();
                }
                Place::Other
            }
            _ => Place::Other,
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
            b',' if self.depth == 1 => self.place = Place::Key,
            b':' if self.place == Place::AfterId && self.depth == 1 => self.place = Place::Id,
            _ => {}
        }
    }
}

/// The id in a text.
pub(super) fn recover_id(text: &[u8]) -> Option<String> {
    let mut scanner = IdScanner::default();
    scanner.push(text);
    scanner.id()
}

// OutputLines of output on their way to the one who writes them.

/// Puts lines in a queue; the other end is [`OutputLines`].
#[derive(Debug)]
pub(super) struct Output(Arc<Shared>);

/// Takes the lines out, until nobody is left who could put one in.
#[derive(Debug)]
pub(super) struct OutputLines(Arc<Shared>);

/// Says that nobody reads what is written.
#[derive(Debug)]
pub struct HangUp(Arc<Shared>);

/// Nobody reads what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HungUp;

/// How many bytes may wait before who adds to them waits too. A client may send all it has before it
/// reads the first answer: searches wait for it early, and only then for long do errors and
/// acknowledgments, since who sends those is who reads the client's queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// A search has ended.
    Search,
    /// A line of input was read.
    Input,
}

impl Patience {
    const fn bytes(self) -> usize {
        match self {
            Patience::Search => 4 << 20,
            Patience::Input => 32 << 20,
        }
    }
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<String>,
    bytes: usize,
    /// How many could still add a line.
    outputs: usize,
    hung_up: bool,
}

/// The two ends of a queue of lines.
pub(super) fn output_channel() -> (Output, OutputLines) {
    let shared = Arc::new(Shared::default());
    shared.lock().outputs = 1;
    (Output(Arc::clone(&shared)), OutputLines(shared))
}

impl Output {
    /// Adds a value as a line, as soon as there is room.
    pub(super) fn send(&self, value: &impl Serialize, patience: Patience) {
        let line = line(value);
        let full = |state: &mut State| !state.hung_up && state.bytes >= patience.bytes();
        let state = self.0.changed.wait_while(self.0.lock(), full);
        self.0.push(state.unwrap_or_else(PoisonError::into_inner), line);
    }

    /// Adds a value as a line unless it would have to wait.
    pub(super) fn offer(&self, value: &impl Serialize) {
        let line = line(value);
        let state = self.0.lock();
        if state.bytes < Patience::Search.bytes() {
            self.0.push(state, line);
        }
    }
}

fn line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

impl Clone for Output {
    fn clone(&self) -> Output {
        self.0.lock().outputs += 1;
        Output(Arc::clone(&self.0))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.0.lock().outputs -= 1;
        self.0.changed.notify_all();
    }
}

impl OutputLines {
    /// What can hang up.
    pub(super) fn hang_up(&self) -> HangUp {
        HangUp(Arc::clone(&self.0))
    }

    /// Waits for the next line; none comes after the last.
    pub(super) fn next(&self) -> Result<Option<String>, HungUp> {
        let idle =
            |state: &mut State| state.lines.is_empty() && state.outputs > 0 && !state.hung_up;
        let state = self.0.changed.wait_while(self.0.lock(), idle);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.hung_up {
            return Err(HungUp);
        }
        let line = state.lines.pop_front();
        state.bytes -= line.as_ref().map_or(0, String::len);
        self.0.changed.notify_all();
        Ok(line)
    }
}

/// Nobody waits for room any more.
impl Drop for OutputLines {
    fn drop(&mut self) {
        self.0.hang_up();
    }
}

impl HangUp {
    /// Ends everything at once.
    pub fn now(self) {
        self.0.hang_up();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, mut state: MutexGuard<'_, State>, line: String) {
        if !state.hung_up {
            state.bytes += line.len();
            state.lines.push_back(line);
            self.changed.notify_all();
        }
    }

    fn hang_up(&self) {
        let mut state = self.lock();
        state.hung_up = true;
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

    fn lines(bytes: &[u8]) -> Vec<Line> {
        let mut reader = LineReader::new(BufReader::with_capacity(3, bytes));
        std::iter::from_fn(|| next_line(&mut reader).unwrap()).collect()
    }

    fn text(text: &str) -> Line {
        Line::Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_end_as_they_like() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\nb\r\n\nc"), [text("a"), text("b"), text(""), text("c")]);
    }

    #[test]
    fn of_a_long_line_only_the_id_is_kept() {
        let long = "x".repeat(MAX_LINE);
        let bytes = format!("{{\"x\":\"{long}\",\"id\":\"late\"}}\nb\n{long}\n{long}x");
        let expected =
            [Line::TooLong(Some("late".into())), text("b"), text(&long), Line::TooLong(None)];
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
            let mut scanner = IdScanner::default();
            text.bytes().for_each(|byte| scanner.push(&[byte]));
            assert_eq!(scanner.id().as_deref(), expected, "{text} byte by byte");
        }
        assert_eq!(recover_id(b"{\"id\":\"\xff\"}"), None);
        assert_eq!(recover_id(b"{\"id\":\"ok\",\"x\":\"\xff\"}").as_deref(), Some("ok"));
    }

    #[test]
    fn a_long_id_is_none() {
        let text = format!(r#"{{"id":"{}"}}"#, "x".repeat(LONGEST_ID + 1));
        assert_eq!(recover_id(text.as_bytes()), None);
    }

    #[test]
    fn the_lines_end_with_the_last_who_could_add_one() {
        let (output, lines) = output_channel();
        let other = output.clone();
        output.send(&1, Patience::Search);
        drop(output);
        other.send(&2, Patience::Input);
        drop(other);
        let all: Vec<_> = std::iter::from_fn(|| lines.next().unwrap()).collect();
        assert_eq!(all, ["1\n", "2\n"]);
    }

    #[test]
    fn who_searches_waits_before_who_reads() {
        let (output, lines) = output_channel();
        output.send(&"x".repeat(Patience::Search.bytes()), Patience::Search);
        output.offer(&"never");
        thread::scope(|scope| {
            let waiting = output.clone();
            let waiting = scope.spawn(move || waiting.send(&"late", Patience::Search));
            output.send(&"early", Patience::Input);
            assert!(lines.next().unwrap().unwrap().len() > Patience::Search.bytes());
            waiting.join().unwrap();
        });
        let mut left = [lines.next(), lines.next()].map(|line| line.unwrap().unwrap());
        left.sort();
        assert_eq!(left, ["\"early\"\n", "\"late\"\n"]);
    }

    #[test]
    fn nobody_waits_for_one_who_has_hung_up() {
        let (output, lines) = output_channel();
        output.send(&"x".repeat(Patience::Search.bytes()), Patience::Search);
        thread::scope(|scope| {
            let waiting = output.clone();
            let waiting = scope.spawn(move || waiting.send(&"late", Patience::Search));
            lines.hang_up().now();
            waiting.join().unwrap();
        });
        assert_eq!(lines.next(), Err(HungUp));
    }
}
