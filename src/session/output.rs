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

/// Says when nobody reads standard output any more: a job that writes nothing would not notice.
#[cfg(unix)]
pub fn watch_standard_output(closed: impl FnOnce() + Send + 'static) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    const GONE: PollFlags = PollFlags::ERR.union(PollFlags::HUP);
    let watch = move || {
        let stdout = io::stdout();
        loop {
            // Errors and hang-ups are told of without being asked for.
            let mut streams = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut streams, None) {
                Err(Errno::INTR) => (),
                Ok(_) if streams.iter().any(|stream| stream.revents().intersects(GONE)) => {
                    return closed();
                }
                // This system cannot tell.
                _ => return,
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("stdout-watch".to_owned()).spawn(watch) {
        log::error!("no thread to watch the output: {error}");
    }
}

/// Where streams cannot be watched, the next line that is written shows that nobody reads.
#[cfg(not(unix))]
pub fn watch_standard_output(_closed: impl FnOnce() + Send + 'static) {}
