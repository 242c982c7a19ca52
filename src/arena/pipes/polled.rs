//! Pipes that the thread of the game serves, with `poll`.

use super::super::wait::{CancelToken, Missed, SLICE};
use super::lookout::Lookout;
use super::{CAPACITY, Sieve};
use pentarch_protocol::frame::LineReader;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// What is read at a time, in bytes: what a pipe holds by default.
const CHUNK: usize = 1 << 16;

/// The pipes of an engine, neither of which ever blocks.
#[derive(Debug)]
pub(in super::super) struct Pipes {
    input: Option<ChildStdin>,
    /// What the engine had no room for.
    unsent: Vec<u8>,
    output: Option<LineReader<BufReader<Stamped>>>,
    sieve: Sieve,
    /// A line that was read and came too late for the one who waited.
    ahead: Option<String>,
    lookout: Lookout,
    /// Whether nothing was awaited since something was sent.
    asked: bool,
}

/// An output and the time at which it was last read from.
#[derive(Debug)]
struct Stamped {
    output: ChildStdout,
    at: Instant,
}

impl Read for Stamped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.output.read(buffer)?;
        self.at = Instant::now();
        Ok(read)
    }
}

impl Pipes {
    pub(in super::super) fn new(
        input: ChildStdin,
        output: ChildStdout,
        label: &str,
    ) -> io::Result<Pipes> {
        ioctl_fionbio(&input, true)?;
        ioctl_fionbio(&output, true)?;
        // An engine that says much while it is not asked should not have to wait for room. With
        // less, which a system under strain may give, it may.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&output, CAPACITY);
        let output = BufReader::with_capacity(CHUNK, Stamped { output, at: Instant::now() });
        let (input, output) = (Some(input), Some(LineReader::new(output)));
        let (unsent, sieve) = (Vec::new(), Sieve::new(label));
        let lookout = Lookout::new(Duration::ZERO);
        Ok(Pipes { input, unsent, output, sieve, ahead: None, lookout, asked: false })
    }

    /// From now on, answers are looked for that long before sleeping until they come.
    pub(in super::super) fn look_out(&mut self, time: Duration) {
        self.lookout = Lookout::new(time);
    }

    /// Sends a line, or as much of it as the engine has room for. The rest follows while its answer is
    /// awaited. An engine that leaves too much lying there finds the end of its input after it.
    pub(in super::super) fn send(&mut self, line: &str) {
        self.unsent.reserve(line.len() + 1);
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
        self.asked = true;
        self.write();
        if self.unsent.len() > CAPACITY {
            self.give_up_input();
        }
    }

    /// Writes what there is room for.
    fn write(&mut self) {
        let Some(input) = &mut self.input else { return self.unsent.clear() };
        let mut written = 0;
        while written < self.unsent.len() {
            match input.write(&self.unsent[written..]) {
                Ok(bytes) => written += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // It is gone; reading tells how.
                Err(_) => return self.give_up_input(),
            }
        }
        self.unsent.drain(..written);
    }

    fn give_up_input(&mut self) {
        self.input = None;
        self.unsent = Vec::new();
    }

    /// The next line that came before the deadline, and when.
    pub(in super::super) fn next(
        &mut self,
        deadline: Instant,
        cancel: &CancelToken,
    ) -> Result<(Instant, String), Missed> {
        loop {
            if cancel.is_canceled() {
                return Err(Missed::Canceled);
            }
            if self.ahead.is_none() && !self.look()? {
                self.wait(deadline, cancel)?;
                self.read()?;
            }
            // Half a line has a deadline as well, and so has one that is no text.
            let Some(at) = self.output().map(|output| output.at) else {
                return Err(Missed::Closed);
            };
            if at > deadline {
                return Err(Missed::Deadline);
            }
            if let Some(line) = self.ahead.take() {
                return Ok((at, line));
            }
        }
    }

    /// From now on a clock runs and nothing is logged, or none and what was held is.
    pub(in super::super) fn hold_log(&mut self, hold: bool) {
        if hold {
            self.sieve.hold();
        } else {
            self.sieve.release();
        }
    }

    /// Forgets the lines that wait.
    pub(in super::super) fn skip_pending(&mut self) {
        self.ahead = None;
        let mut skipped = 0;
        // What the system may hold, and no more of what comes meanwhile.
        while skipped < CAPACITY && self.read() == Ok(true) {
            skipped += self.ahead.take().map_or(1, |line| line.len() + 1);
        }
    }

    /// Ends the input, after what waits for room if the engine takes it within a time.
    pub(in super::super) fn close_input(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while !self.unsent.is_empty() && self.input.is_some() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !self.poll(left, false).1 {
                break;
            }
            self.write();
        }
        self.give_up_input();
    }

    /// Lets go of both pipes.
    pub(in super::super) fn close(&mut self) {
        self.give_up_input();
        (self.output, self.ahead) = (None, None);
    }

    /// Reads a line, or a part of one, if it is there. False if nothing is.
    fn read(&mut self) -> Result<bool, Missed> {
        let Some(output) = &mut self.output else { return Err(Missed::Closed) };
        match output.read() {
            Ok(Some(line)) => {
                self.ahead = self.sieve.text(line);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
            Ok(None) | Err(_) => Err(Missed::Closed),
        }
    }

    /// Looks for an answer that is there at once, and reads it. False if none is.
    fn look(&mut self) -> Result<bool, Missed> {
        let asked = std::mem::take(&mut self.asked) && self.unsent.is_empty();
        if !asked || !self.lookout.is_due() {
            return Ok(false);
        }
        let start = Instant::now();
        loop {
            if self.read()? {
                self.lookout.found();
                return Ok(true);
            }
            if !self.lookout.goes_on(start) {
                return Ok(false);
            }
        }
    }

    /// Waits until there is something to read, or the end of it.
    fn wait(&mut self, deadline: Instant, cancel: &CancelToken) -> Result<(), Missed> {
        while self.output.as_ref().is_some_and(|output| output.get_ref().buffer().is_empty()) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Missed::Deadline);
            }
            let (readable, writable) = self.poll(left.min(SLICE), true);
            if writable {
                self.write();
            }
            if readable {
                break;
            }
            if cancel.is_canceled() {
                return Err(Missed::Canceled);
            }
        }
        Ok(())
    }

    /// Waits until the output has something to read, if that is wanted, or the input room for what
    /// waits. Which of them.
    fn poll(&self, time: Duration, reads: bool) -> (bool, bool) {
        let input = self.input.as_ref().filter(|_| !self.unsent.is_empty());
        let output = self.output().map(|output| &output.output).filter(|_| reads);
        let output = output.map(|output| PollFd::new(output, PollFlags::IN));
        let input = input.map(|input| PollFd::new(input, PollFlags::OUT));
        match (output, input) {
            (Some(output), Some(input)) => ready([output, input], time).into(),
            (Some(output), None) => (ready([output], time)[0], false),
            (None, Some(input)) => (false, ready([input], time)[0]),
            (None, None) => (false, false),
        }
    }

    fn output(&self) -> Option<&Stamped> {
        self.output.as_ref().map(|output| output.get_ref().get_ref())
    }
}

/// Waits until some of these are ready. Which of them; none if the wait is interrupted.
fn ready<const N: usize>(mut pipes: [PollFd<'_>; N], time: Duration) -> [bool; N] {
    let _ = poll(&mut pipes, Timespec::try_from(time).ok().as_ref());
    pipes.map(|pipe| !pipe.revents().is_empty())
}

#[cfg(test)]
impl Pipes {
    pub(super) fn unsent(&self) -> usize {
        self.unsent.len()
    }
}
