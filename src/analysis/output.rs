//! Lines of output on their way to the one who writes them.

use serde::Serialize;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Puts lines in a queue; the other end is [`Lines`].
#[derive(Clone, Debug)]
pub(super) struct Output {
    lines: Sender<String>,
    quota: Arc<Quota>,
}

/// Takes the lines out, until nobody is left who could put one in.
#[derive(Debug)]
pub(super) struct Lines {
    lines: Receiver<String>,
    quota: Arc<Quota>,
}

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
            Patience::Input => 64 << 20,
        }
    }
}

#[derive(Debug, Default)]
struct Quota {
    used: Mutex<Used>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Used {
    bytes: usize,
    /// Nobody takes lines any more.
    closed: bool,
}

/// The two ends of a queue of lines.
pub(super) fn channel() -> (Output, Lines) {
    let (sender, receiver) = mpsc::channel();
    let quota = Arc::new(Quota::default());
    let output = Output { lines: sender, quota: Arc::clone(&quota) };
    (output, Lines { lines: receiver, quota })
}

impl Output {
    /// Adds a value as a line, as soon as there is room.
    pub(super) fn send(&self, value: &impl Serialize, patience: Patience) {
        let line = line(value);
        self.quota.wait(patience);
        self.put(line);
    }

    /// Adds a value as a line unless it would have to wait.
    pub(super) fn offer(&self, value: &impl Serialize) {
        if self.quota.has_room(Patience::Search) {
            self.put(line(value));
        }
    }

    fn put(&self, line: String) {
        self.quota.lock().bytes += line.len();
        // Who took the lines is gone only when all ends.
        let _ = self.lines.send(line);
    }
}

fn line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

impl Iterator for Lines {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let line = self.lines.recv().ok()?;
        let mut used = self.quota.lock();
        used.bytes = used.bytes.saturating_sub(line.len());
        self.quota.freed.notify_all();
        Some(line)
    }
}

/// Nobody waits for room any more.
impl Drop for Lines {
    fn drop(&mut self) {
        self.quota.lock().closed = true;
        self.quota.freed.notify_all();
    }
}

impl Quota {
    fn lock(&self) -> std::sync::MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_room(&self, patience: Patience) -> bool {
        self.lock().bytes < patience.bytes()
    }

    fn wait(&self, patience: Patience) {
        let full = |used: &mut Used| !used.closed && used.bytes >= patience.bytes();
        drop(self.freed.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner));
    }
}
