//! Pipes that threads serve, for systems that cannot wait for several pipes at a time.
#![cfg_attr(all(unix, test), allow(dead_code))]

use super::super::wait::{CancelToken, Missed};
use super::line_queue::LineQueue;
use super::{CAPACITY, Sieve};
use pentarch_protocol::frame::LineReader;
use std::io::{self, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// The pipes of an engine. One thread reads its output into a bounded queue, one writes its input.
#[derive(Debug)]
pub(in super::super) struct Pipes {
    input: Option<Sender<String>>,
    /// The bytes on their way to the thread that writes.
    unsent: Arc<AtomicUsize>,
    lines: Arc<LineQueue>,
}

impl Pipes {
    pub(in super::super) fn new(
        input: ChildStdin,
        output: ChildStdout,
        label: &str,
    ) -> io::Result<Pipes> {
        let (sender, texts) = mpsc::channel();
        let pipes = Pipes { input: Some(sender), unsent: Arc::default(), lines: Arc::default() };
        let thread = |part: &str| thread::Builder::new().name(format!("{label} {part}"));
        let (lines, sieve) = (pipes.lines.clone(), Sieve::new(label));
        thread("output").spawn(move || {
            read(output, &lines, sieve);
            lines.end();
        })?;
        let unsent = pipes.unsent.clone();
        thread("input").spawn(move || write(input, &texts, &unsent))?;
        Ok(pipes)
    }

    /// Sends a line. An engine that leaves too much lying there finds the end of its input.
    pub(in super::super) fn send(&mut self, line: &str) {
        let Some(input) = &self.input else { return };
        let size = line.len() + 1;
        if self.unsent.fetch_add(size, Ordering::Relaxed) + size > CAPACITY {
            self.input = None;
        } else if input.send(format!("{line}\n")).is_err() {
            // It is gone; reading tells how.
            self.input = None;
        }
    }

    /// The next line that came before the deadline, and when.
    pub(in super::super) fn next(
        &mut self,
        deadline: Instant,
        cancel: &CancelToken,
    ) -> Result<(Instant, String), Missed> {
        self.lines.pop(deadline, cancel)
    }

    /// A clock runs, or none: the thread that reads logs by itself.
    #[cfg_attr(unix, expect(dead_code, reason = "only its tests run here"))]
    #[expect(clippy::unused_self, reason = "as where the thread of the game reads")]
    pub(in super::super) fn hold_log(&mut self, _hold: bool) {}

    /// Whoever reads for others sleeps until there is something to read.
    #[cfg_attr(unix, expect(dead_code, reason = "only its tests run here"))]
    #[expect(clippy::unused_self, reason = "as where the thread of the game reads")]
    pub(in super::super) fn look_out(&mut self, _time: Duration) {}

    /// Forgets the lines that wait.
    pub(in super::super) fn skip_pending(&mut self) {
        self.lines.clear();
    }

    /// Ends the input, after what was sent.
    pub(in super::super) fn close_input(&mut self, _: Duration) {
        self.input = None;
    }

    /// Lets go of both pipes.
    pub(in super::super) fn close(&mut self) {
        self.input = None;
        self.lines.abandon();
    }
}

#[cfg(test)]
impl Pipes {
    pub(super) fn unsent(&self) -> usize {
        self.unsent.load(Ordering::Relaxed)
    }
}

/// Reads lines until the end, or until nobody wants more.
fn read(output: ChildStdout, lines: &LineQueue, mut sieve: Sieve) {
    let mut reader = LineReader::new(BufReader::new(output));
    while let Ok(Some(line)) = reader.read() {
        let at = Instant::now();
        if let Some(text) = sieve.text(line)
            && !lines.push(at, text)
        {
            return;
        }
    }
}

fn write(mut input: ChildStdin, texts: &Receiver<String>, unsent: &AtomicUsize) {
    for text in texts {
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
        unsent.fetch_sub(text.len(), Ordering::Relaxed);
    }
}
