//! Lines of output on their way to the one who writes them.

use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Puts lines in a queue; the other end is [`Lines`].
#[derive(Debug)]
pub(super) struct Output(Arc<Shared>);

/// Takes the lines out, until nobody is left who could put one in.
#[derive(Debug)]
pub(super) struct Lines(Arc<Shared>);

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
pub(super) fn channel() -> (Output, Lines) {
    let shared = Arc::new(Shared::default());
    shared.lock().outputs = 1;
    (Output(Arc::clone(&shared)), Lines(shared))
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

impl Lines {
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
impl Drop for Lines {
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
    use std::thread;

    #[test]
    fn the_lines_end_with_the_last_who_could_add_one() {
        let (output, lines) = channel();
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
        let (output, lines) = channel();
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
        let (output, lines) = channel();
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
