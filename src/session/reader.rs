//! The thread that reads lines, and the limit on how far it reads ahead.

use super::Event;
use pentarch_protocol::frame::{Line, LineReader};
use std::io::{BufReader, Read};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// Bytes that may wait unread; a line counts a few more than it has.
const QUOTA: usize = 8 << 20;
/// What a waiting line costs besides its text.
const LINE_COST: usize = 64;

/// The input side of a session.
pub(super) struct Input {
    quota: Arc<Quota>,
}

#[derive(Default)]
struct Quota {
    used: Mutex<usize>,
    freed: Condvar,
}

impl Input {
    /// Starts to read. Lines and the end come as events; when too much of it waits to be taken,
    /// the reading pauses, so a client that floods is slowed down and costs no memory.
    pub(super) fn start(input: impl Read + Send + 'static, events: Sender<Event>) -> Input {
        let quota = Arc::new(Quota::default());
        let theirs = Arc::clone(&quota);
        let read = move || {
            let mut reader = LineReader::new(BufReader::with_capacity(1 << 16, input));
            loop {
                match reader.read() {
                    Ok(Some(line)) => {
                        log::debug!("< {}", shown(&line));
                        theirs.acquire(cost(&line));
                        if events.send(Event::Line(line)).is_err() {
                            return;
                        }
                    }
                    Ok(None) => break,
                    Err(error) => {
                        log::error!("reading input failed: {error}");
                        break;
                    }
                }
            }
            let _ = events.send(Event::End);
        };
        if let Err(error) = thread::Builder::new().name("stdin-reader".to_owned()).spawn(read) {
            log::error!("no thread to read input: {error}");
        }
        Input { quota }
    }

    /// Says that a line no longer waits.
    pub(super) fn release(&self, line: &Line) {
        let mut used = self.quota.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_sub(cost(line));
        self.quota.freed.notify_all();
    }
}

impl Quota {
    fn acquire(&self, cost: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used > 0 && *used + cost > QUOTA {
            used = self.freed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used += cost;
    }
}

fn cost(line: &Line) -> usize {
    LINE_COST + if let Line::Text(text) = line { text.len() } else { 0 }
}

fn shown(line: &Line) -> &str {
    match line {
        Line::Text(text) => text,
        Line::TooLong => "(a line that is too long)",
        Line::NotUtf8 => "(a line that is not UTF-8)",
    }
}
