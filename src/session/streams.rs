//! The input and output of a session: the thread that reads lines, and the one writer.

use super::Event;
use pentarch_protocol::input::{ByteBudget, LineError, LineReader};
use std::fmt::Display;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;

/// A line of input, or why it was skipped.
pub(super) type InputLine = Result<String, LineError>;

/// The bytes of lines that may wait to be processed.
const MAX_WAITING: usize = 8 << 20;

/// The thread that reads lines.
pub(super) struct InputThread {
    budget: Arc<ByteBudget>,
}

impl InputThread {
    /// Starts the thread, which sends lines and the end of the input as events. It pauses while too many
    /// lines wait, so that a client that floods is slowed down and costs no memory.
    pub(super) fn start(input: impl Read + Send + 'static, events: Sender<Event>) -> InputThread {
        let budget = Arc::new(ByteBudget::new(MAX_WAITING));
        let thread_budget = Arc::clone(&budget);
        let read = move || {
            let mut reader = LineReader::new(BufReader::with_capacity(1 << 16, input));
            loop {
                match reader.read() {
                    Ok(Some(line)) => {
                        match &line {
                            Ok(text) => log::debug!("< {text}"),
                            Err(error) => log::debug!("< ({error})"),
                        }
                        thread_budget.acquire(size(&line));
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
        InputThread { budget }
    }

    /// Marks a line as processed.
    pub(super) fn release(&self, line: &InputLine) {
        self.budget.release(size(line));
    }
}

fn size(line: &InputLine) -> usize {
    line.as_ref().map_or(0, String::len)
}

/// Writes responses, each in one piece and flushed.
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

    /// Writes a text that includes the end of its last line.
    pub(super) fn send(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            log::debug!("> {line}");
        }
        self.stream.write_all(text.as_bytes())?;
        self.stream.flush()
    }
}

/// Calls `closed` when the reader of standard output has closed it, which a job that writes nothing
/// would not notice.
#[cfg(unix)]
pub fn watch_standard_output(closed: impl FnOnce() + Send + 'static) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    const CLOSED: PollFlags = PollFlags::ERR.union(PollFlags::HUP);
    let watch = move || {
        let stdout = io::stdout();
        loop {
            // Errors and hang-ups are reported without being requested.
            let mut streams = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut streams, None) {
                Err(Errno::INTR) => (),
                Ok(_) if streams.iter().any(|stream| stream.revents().intersects(CLOSED)) => {
                    return closed();
                }
                // This system does not support it.
                _ => return,
            }
        }
    };
    if let Err(error) = thread::Builder::new().name("stdout-watch".to_owned()).spawn(watch) {
        log::error!("no thread to watch the output: {error}");
    }
}

/// Does nothing on systems that cannot watch a stream; the next write reports that the output is closed.
#[cfg(not(unix))]
pub fn watch_standard_output(_closed: impl FnOnce() + Send + 'static) {}
