//! The pipes of an engine. Neither reading nor writing can block the arena for ever.
//!
//! On Unix the thread of the game polls the pipes itself, so that an exchange wakes only two
//! threads, the engine's and its own. Elsewhere one thread reads for it and one writes.

#[cfg(unix)]
pub(crate) use polled::Pipes;
#[cfg(not(unix))]
pub(crate) use threaded::Pipes;

use log::Level;
use pentarch_protocol::input::LineError;

/// The maximum number of bytes that wait to be read or written.
const CAPACITY: usize = 1 << 20;

/// The number of characters of a line that are logged.
pub(crate) const LOGGED: usize = 300;

/// Drops lines that are not text. Logs the first line of each kind, and at the end the number of
/// the others.
#[derive(Debug)]
struct LineFilter {
    label: String,
    /// The numbers of lines that were too long, and that were not UTF-8.
    dropped: [u64; 2],
    /// Log messages that are deferred while a clock runs.
    deferred: Option<Vec<(Level, String)>>,
}

/// The maximum number of deferred messages; further ones are dropped.
const MAX_DEFERRED: usize = 1000;

const KINDS: [&str; 2] = ["of more than 1 MiB", "not in UTF-8"];

impl LineFilter {
    fn new(label: &str) -> LineFilter {
        LineFilter { label: label.to_owned(), dropped: [0; 2], deferred: None }
    }

    /// The text of the line; `None` if it is not text.
    fn text(&mut self, line: Result<String, LineError>) -> Option<String> {
        let kind = match line {
            Ok(text) => {
                if log::log_enabled!(Level::Debug) {
                    self.log(Level::Debug, format!("{} > {text:.LOGGED$}", self.label));
                }
                return Some(text);
            }
            Err(LineError::TooLong) => 0,
            Err(LineError::NotUtf8) => 1,
        };
        self.dropped[kind] += 1;
        if self.dropped[kind] == 1 {
            self.log(Level::Warn, format!("{} wrote a line {}, ignored", self.label, KINDS[kind]));
        }
        None
    }

    /// Logs a message, after the clock has stopped if one runs: logging may be slow.
    fn log(&mut self, level: Level, text: String) {
        match &mut self.deferred {
            None => log::log!(level, "{text}"),
            Some(deferred) if deferred.len() < MAX_DEFERRED => deferred.push((level, text)),
            Some(_) => {}
        }
    }

    /// Defers messages from now on.
    #[cfg(unix)]
    fn hold(&mut self) {
        self.deferred.get_or_insert_default();
    }

    /// Logs the deferred messages and stops deferring.
    fn release(&mut self) {
        for (level, text) in self.deferred.take().unwrap_or_default() {
            log::log!(level, "{text}");
        }
    }
}

impl Drop for LineFilter {
    fn drop(&mut self) {
        self.release();
        for (number, kind) in self.dropped.iter().zip(KINDS) {
            if *number > 1 {
                log::warn!("{} wrote {number} lines {kind}, all ignored", self.label);
            }
        }
    }
}

#[cfg(unix)]
mod polled {
    //! Pipes that the thread of the game polls.

    use super::{CAPACITY, LineFilter};
    use crate::wait::{CANCEL_POLL, CancelToken, StopDetector, WaitError};
    use pentarch_protocol::input::LineReader;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::ioctl_fionbio;
    use std::cell::Cell;
    use std::io::{self, BufReader, ErrorKind, Read, Write};
    use std::process::{ChildStdin, ChildStdout};
    use std::time::{Duration, Instant};

    /// The size of a read, in bytes: the default capacity of a pipe.
    const CHUNK: usize = 1 << 16;

    /// The non-blocking pipes of an engine.
    #[derive(Debug)]
    pub(crate) struct Pipes {
        input: Option<ChildStdin>,
        /// Bytes for which the pipe had no room.
        unsent: Vec<u8>,
        output: Option<LineReader<BufReader<TimestampedOutput>>>,
        filter: LineFilter,
        /// A line that arrived after the deadline of the last wait.
        ahead: Option<String>,
        spin_wait: SpinWait,
        /// Whether a line was sent since the last wait.
        asked: bool,
        /// The time for which the own thread was stopped in waits since the last line was sent.
        stops: StopDetector,
        /// Whether a line is awaited since the last update of `stops`.
        awaits: bool,
    }

    /// A sleep for an answer that is shorter needs no measurement of stops, which takes as long as a
    /// quick answer.
    const SHORT_SLEEP: Duration = Duration::from_millis(1);

    /// An output with the time of the last read.
    #[derive(Debug)]
    struct TimestampedOutput {
        output: ChildStdout,
        at: Instant,
        /// The number of bytes that may be read until [`Pipes::read`] returns.
        budget: Cell<usize>,
        /// The number of bytes read.
        received: u64,
    }

    impl Read for TimestampedOutput {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let budget = self.budget.get();
            if budget == 0 {
                return Err(ErrorKind::WouldBlock.into());
            }
            let read = self.output.read(buffer)?;
            self.at = Instant::now();
            self.budget.set(budget.saturating_sub(read));
            self.received += read as u64;
            Ok(read)
        }
    }

    impl Pipes {
        pub(crate) fn new(
            input: ChildStdin,
            output: ChildStdout,
            label: &str,
        ) -> io::Result<Pipes> {
            ioctl_fionbio(&input, true)?;
            ioctl_fionbio(&output, true)?;
            // A larger pipe keeps an engine that writes much between questions from blocking. The
            // system may refuse it.
            #[cfg(target_os = "linux")]
            let _ = rustix::pipe::fcntl_setpipe_size(&output, CAPACITY);
            let (at, budget) = (Instant::now(), Cell::new(0));
            let output = TimestampedOutput { output, at, budget, received: 0 };
            let output = BufReader::with_capacity(CHUNK, output);
            let (input, output) = (Some(input), Some(LineReader::new(output)));
            let (unsent, filter) = (Vec::new(), LineFilter::new(label));
            let spin_wait = SpinWait::new(Duration::ZERO);
            Ok(Pipes {
                input,
                unsent,
                output,
                filter,
                ahead: None,
                spin_wait,
                asked: false,
                stops: StopDetector::new(),
                awaits: false,
            })
        }

        /// Sets how long to poll for an answer before sleeping.
        pub(crate) fn set_spin_wait(&mut self, time: Duration) {
            self.spin_wait = SpinWait::new(time);
        }

        /// Sends a line, or as much of it as the pipe has room for; the rest follows while the
        /// answer is awaited. The input of an engine that leaves too much unread is closed.
        pub(crate) fn send(&mut self, line: &str) {
            self.unsent.reserve(line.len() + 1);
            self.unsent.extend_from_slice(line.as_bytes());
            self.unsent.push(b'\n');
            self.asked = true;
            self.stops = StopDetector::new();
            self.awaits = true;
            self.write();
            if self.unsent.len() > CAPACITY {
                self.give_up_input();
            }
        }

        /// Writes as much as the pipe has room for.
        fn write(&mut self) {
            let Some(input) = &mut self.input else { return self.unsent.clear() };
            let mut written = 0;
            while written < self.unsent.len() {
                match input.write(&self.unsent[written..]) {
                    Ok(bytes) => written += bytes,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    // The engine is gone; the next read returns the reason.
                    Err(_) => return self.give_up_input(),
                }
            }
            self.unsent.drain(..written);
        }

        fn give_up_input(&mut self) {
            self.input = None;
            self.unsent = Vec::new();
        }

        /// The number of bytes received, including those of incomplete lines.
        pub(crate) fn received(&self) -> u64 {
            self.output().map_or(0, |output| output.received)
        }

        /// The time for which the own thread was stopped in waits since the last line was sent.
        pub(crate) fn stopped(&self) -> Duration {
            self.stops.stopped()
        }

        /// The next line that arrived before the deadline, and its time. The deadline is postponed
        /// by the time for which the own thread was stopped since the last line was sent.
        pub(crate) fn next(
            &mut self,
            deadline: Instant,
            cancel: &CancelToken,
        ) -> Result<(Instant, String), WaitError> {
            if !std::mem::replace(&mut self.awaits, true) {
                self.stops.resume();
            }
            loop {
                if cancel.is_canceled() {
                    return Err(WaitError::Canceled);
                }
                if self.ahead.is_none() && !self.spin()? {
                    self.wait(deadline, cancel)?;
                    self.read()?;
                }
                let deadline = deadline + self.stops.update();
                // Incomplete lines and lines that are not text have a deadline as well.
                let Some(at) = self.output().map(|output| output.at) else {
                    return Err(WaitError::Closed);
                };
                if at > deadline {
                    return Err(WaitError::Deadline);
                }
                if let Some(line) = self.ahead.take() {
                    self.awaits = false;
                    return Ok((at, line));
                }
            }
        }

        /// Defers log messages, or logs the deferred ones.
        pub(crate) fn defer_log(&mut self, hold: bool) {
            if hold {
                self.filter.hold();
            } else {
                self.filter.release();
            }
        }

        /// Discards lines that have arrived.
        pub(crate) fn discard_pending(&mut self) {
            self.ahead = None;
            let mut skipped = 0;
            // At most the capacity of the pipe, not what arrives meanwhile.
            while skipped < CAPACITY && self.read() == Ok(true) {
                skipped += self.ahead.take().map_or(1, |line| line.len() + 1);
            }
        }

        /// Closes the input, after the unsent bytes if the engine reads them within a time.
        pub(crate) fn close_input(&mut self, time: Duration) {
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

        /// Closes both pipes.
        pub(crate) fn close(&mut self) {
            self.give_up_input();
            (self.output, self.ahead) = (None, None);
        }

        /// Reads a line or a part of one, if available. Returns false if no line is available. The
        /// part is bounded: an engine that never ends its line may write faster than it is read.
        fn read(&mut self) -> Result<bool, WaitError> {
            let Some(output) = &mut self.output else { return Err(WaitError::Closed) };
            output.get_ref().get_ref().budget.set(CAPACITY);
            match output.read() {
                Ok(Some(line)) => {
                    self.ahead = self.filter.text(line);
                    Ok(true)
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
                Ok(None) | Err(_) => Err(WaitError::Closed),
            }
        }

        /// Polls for an answer and reads it. Returns false if none came.
        fn spin(&mut self) -> Result<bool, WaitError> {
            let asked = std::mem::take(&mut self.asked) && self.unsent.is_empty();
            if !asked || !self.spin_wait.should_spin() {
                return Ok(false);
            }
            let start = Instant::now();
            loop {
                if self.read()? {
                    self.spin_wait.found();
                    return Ok(true);
                }
                if !self.spin_wait.continues(start) {
                    return Ok(false);
                }
            }
        }

        /// Waits until there is something to read.
        fn wait(&mut self, deadline: Instant, cancel: &CancelToken) -> Result<(), WaitError> {
            let mut sleep = SHORT_SLEEP;
            while self.output.as_ref().is_some_and(|output| output.get_ref().buffer().is_empty()) {
                let deadline = deadline + self.stops.update();
                let left = deadline.saturating_duration_since(Instant::now());
                // After the deadline as well, the answer may be in the pipe already.
                let (readable, writable) = self.poll(left.min(sleep), true);
                if writable {
                    self.write();
                }
                if readable {
                    break;
                }
                if left.is_zero() {
                    return Err(WaitError::Deadline);
                }
                if sleep == SHORT_SLEEP {
                    self.stops.before_sleep();
                    sleep = CANCEL_POLL;
                }
                if cancel.is_canceled() {
                    return Err(WaitError::Canceled);
                }
            }
            Ok(())
        }

        /// Waits until the output is readable, if `reads` is set, or the input has room for unsent
        /// bytes. Returns which of them is ready.
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

        fn output(&self) -> Option<&TimestampedOutput> {
            self.output.as_ref().map(|output| output.get_ref().get_ref())
        }
    }

    /// Waits until some of the pipes are ready; returns which. None is ready after an interrupted
    /// wait.
    fn ready<const N: usize>(mut pipes: [PollFd<'_>; N], time: Duration) -> [bool; N] {
        let _ = poll(&mut pipes, Timespec::try_from(time).ok().as_ref());
        pipes.map(|pipe| !pipe.revents().is_empty())
    }

    #[cfg(test)]
    impl Pipes {
        pub(crate) fn unsent(&self) -> usize {
            self.unsent.len()
        }
    }

    /// The maximum number of answers that are awaited asleep before polling is tried again.
    const MAX_SKIPPED: u32 = 256;

    /// Decides for which answers to poll before sleeping.
    ///
    /// Waking a sleeping thread takes longer than a simple engine needs for its move. So the thread
    /// polls for a very short time and yields the processor in between, as message-passing
    /// libraries do. After an engine that thinks longer, polling is tried less and less often.
    #[derive(Debug)]
    pub(crate) struct SpinWait {
        /// How long to poll; zero disables polling.
        time: Duration,
        /// The number of answers for which polling is skipped.
        skips: u32,
        /// The number of answers to skip after the next failure.
        next_skips: u32,
    }

    impl SpinWait {
        pub(crate) const fn new(time: Duration) -> SpinWait {
            SpinWait { time, skips: 0, next_skips: 1 }
        }

        /// Whether to poll for the next answer.
        pub(crate) fn should_spin(&mut self) -> bool {
            let should_spin = !self.time.is_zero() && self.skips == 0;
            self.skips = self.skips.saturating_sub(1);
            should_spin
        }

        /// Polling succeeded.
        pub(crate) fn found(&mut self) {
            self.next_skips = 1;
        }

        /// Whether to continue polling for the answer to a question sent at `start`. Yields the
        /// processor first.
        pub(crate) fn continues(&mut self, start: Instant) -> bool {
            // On a busy processor the yield alone may take the whole time.
            std::thread::yield_now();
            let continues = start.elapsed() < self.time;
            if !continues {
                self.skips = self.next_skips;
                self.next_skips = (2 * self.next_skips).min(MAX_SKIPPED);
            }
            continues
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// The numbers of the answers that are polled for if those for which `quick` is true arrive
        /// at once.
        fn looked_for(time: Duration, answers: u32, quick: impl Fn(u32) -> bool) -> Vec<u32> {
            let mut spin_wait = SpinWait::new(time);
            let spin = |&answer: &u32| {
                let should_spin = spin_wait.should_spin();
                if should_spin && quick(answer) {
                    spin_wait.found();
                } else if should_spin {
                    let start = Instant::now();
                    while spin_wait.continues(start) {}
                    assert!(start.elapsed() >= time);
                }
                should_spin
            };
            (1..=answers).filter(spin).collect()
        }

        #[test]
        fn one_who_thinks_long_is_seldom_looked_for() {
            let time = Duration::from_micros(1);
            assert_eq!(looked_for(time, 50, |_| false), [1, 3, 6, 11, 20, 37]);
            assert_eq!(looked_for(time, 10_000, |_| false).len(), 10 + 36);
            assert_eq!(looked_for(time, 9, |answer| answer > 5), [1, 3, 6, 7, 8, 9]);
            assert!(looked_for(Duration::ZERO, 9, |_| true).is_empty());
        }
    }
}

#[cfg(any(not(unix), test))]
#[cfg_attr(all(unix, test), allow(dead_code))]
mod threaded {
    //! Pipes served by threads, for systems without `poll`.

    use super::{CAPACITY, LineFilter};
    use crate::wait::{CANCEL_POLL, CancelToken, StopDetector, WaitError};
    use pentarch_protocol::input::LineReader;
    use std::collections::VecDeque;
    use std::io::{self, BufReader, Write};
    use std::process::{ChildStdin, ChildStdout};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
    use std::thread;
    use std::time::{Duration, Instant};

    /// The pipes of an engine. One thread reads its output into a bounded queue, one writes its
    /// input.
    #[derive(Debug)]
    pub(crate) struct Pipes {
        input: Option<Sender<String>>,
        /// The number of bytes on their way to the writing thread.
        unsent: Arc<AtomicUsize>,
        lines: Arc<LineQueue>,
        /// The time for which the own thread was stopped in waits since the last line was sent.
        stops: StopDetector,
    }

    impl Pipes {
        pub(crate) fn new(
            input: ChildStdin,
            output: ChildStdout,
            label: &str,
        ) -> io::Result<Pipes> {
            let (sender, texts) = mpsc::channel();
            let pipes = Pipes {
                input: Some(sender),
                unsent: Arc::default(),
                lines: Arc::default(),
                stops: StopDetector::new(),
            };
            let thread = |part: &str| thread::Builder::new().name(format!("{label} {part}"));
            let (lines, filter) = (pipes.lines.clone(), LineFilter::new(label));
            thread("output").spawn(move || {
                read(output, &lines, filter);
                lines.end();
            })?;
            let unsent = pipes.unsent.clone();
            thread("input").spawn(move || write(input, &texts, &unsent))?;
            Ok(pipes)
        }

        /// Sends a line. The input of an engine that leaves too much unread is closed.
        pub(crate) fn send(&mut self, line: &str) {
            self.stops = StopDetector::new();
            let Some(input) = &self.input else { return };
            let size = line.len() + 1;
            if self.unsent.fetch_add(size, Ordering::Relaxed) + size > CAPACITY {
                self.input = None;
            } else if input.send(format!("{line}\n")).is_err() {
                // The engine is gone; the next read returns the reason.
                self.input = None;
            }
        }

        /// Unknown: it matters only where scheduling delays are known.
        #[cfg_attr(unix, expect(dead_code, reason = "only its tests run here"))]
        #[expect(clippy::unused_self, reason = "as where the thread of the game reads")]
        pub(crate) fn received(&self) -> u64 {
            0
        }

        /// The time for which the own thread was stopped in waits since the last line was sent.
        #[cfg_attr(unix, expect(dead_code, reason = "only its tests run here"))]
        pub(crate) fn stopped(&self) -> Duration {
            self.stops.stopped()
        }

        /// The next line that arrived before the deadline, and its time. The deadline is postponed
        /// by the time for which the own thread was stopped since the last line was sent.
        pub(crate) fn next(
            &mut self,
            deadline: Instant,
            cancel: &CancelToken,
        ) -> Result<(Instant, String), WaitError> {
            self.lines.pop(deadline, cancel, &mut self.stops)
        }

        /// The reading thread logs by itself.
        #[cfg_attr(unix, expect(dead_code, reason = "only its tests run here"))]
        #[expect(clippy::unused_self, reason = "as where the thread of the game reads")]
        pub(crate) fn defer_log(&mut self, _hold: bool) {}

        /// The reading thread always sleeps until there is something to read.
        #[cfg_attr(unix, expect(dead_code, reason = "only its tests run here"))]
        #[expect(clippy::unused_self, reason = "as where the thread of the game reads")]
        pub(crate) fn set_spin_wait(&mut self, _time: Duration) {}

        /// Discards lines that have arrived.
        pub(crate) fn discard_pending(&mut self) {
            self.lines.clear();
        }

        /// Closes the input after what was sent.
        pub(crate) fn close_input(&mut self, _: Duration) {
            self.input = None;
        }

        /// Closes both pipes.
        pub(crate) fn close(&mut self) {
            self.input = None;
            self.lines.abandon();
        }
    }

    #[cfg(test)]
    impl Pipes {
        pub(crate) fn unsent(&self) -> usize {
            self.unsent.load(Ordering::Relaxed)
        }
    }

    /// Reads lines until the end of the output or until the queue is abandoned.
    fn read(output: ChildStdout, lines: &LineQueue, mut filter: LineFilter) {
        let mut reader = LineReader::new(BufReader::new(output));
        while let Ok(Some(line)) = reader.read() {
            let at = Instant::now();
            if let Some(text) = filter.text(line)
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

    /// The cost of a line in addition to its text, so that empty lines are bounded as well.
    const LINE_OVERHEAD: usize = 64;

    /// A queue between the thread that reads an engine's output and the game. An engine that writes
    /// more than [`CAPACITY`] bytes blocks.
    ///
    /// A deadline is compared with the time at which a line arrived, so that neither an engine that
    /// never stops writing nor a game that is slow to read can move it.
    #[derive(Debug, Default)]
    pub(crate) struct LineQueue {
        state: Mutex<QueueState>,
        filled: Condvar,
        emptied: Condvar,
    }

    #[derive(Debug, Default)]
    struct QueueState {
        lines: VecDeque<(Instant, String)>,
        bytes: usize,
        /// The writer has ended.
        ended: bool,
        /// The reader has ended.
        abandoned: bool,
    }

    impl LineQueue {
        /// Adds a line, as soon as there is room. Returns false if the reader has ended.
        pub(crate) fn push(&self, at: Instant, line: String) -> bool {
            let size = line.len() + LINE_OVERHEAD;
            let mut state = self.lock();
            while !state.abandoned && state.bytes > 0 && state.bytes + size > CAPACITY {
                state = self.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.abandoned {
                return false;
            }
            state.bytes += size;
            state.lines.push_back((at, line));
            drop(state);
            self.filled.notify_one();
            true
        }

        /// Marks the end of the lines.
        pub(crate) fn end(&self) {
            self.lock().ended = true;
            self.filled.notify_one();
        }

        /// Marks the end of reading; frees a blocked writer.
        pub(crate) fn abandon(&self) {
            let mut state = self.lock();
            state.abandoned = true;
            state.clear();
            drop(state);
            self.emptied.notify_one();
        }

        /// Discards lines that have arrived.
        pub(crate) fn clear(&self) {
            self.lock().clear();
            self.emptied.notify_one();
        }

        /// The next line that arrived before the deadline, and its time. The deadline is postponed
        /// by the time for which the own thread was stopped.
        pub(crate) fn pop(
            &self,
            deadline: Instant,
            cancel: &CancelToken,
            stops: &mut StopDetector,
        ) -> Result<(Instant, String), WaitError> {
            let mut state = self.lock();
            stops.resume();
            loop {
                let deadline = deadline + stops.update();
                if cancel.is_canceled() {
                    return Err(WaitError::Canceled);
                }
                if state.lines.front().is_some_and(|&(at, _)| at > deadline) {
                    return Err(WaitError::Deadline);
                }
                if let Some((at, line)) = state.lines.pop_front() {
                    state.bytes -= line.len() + LINE_OVERHEAD;
                    drop(state);
                    self.emptied.notify_one();
                    return Ok((at, line));
                }
                if state.ended || state.abandoned {
                    return Err(WaitError::Closed);
                }
                let left = deadline.saturating_duration_since(Instant::now());
                if left == Duration::ZERO {
                    return Err(WaitError::Deadline);
                }
                stops.before_sleep();
                let waited = self.filled.wait_timeout(state, left.min(CANCEL_POLL));
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }

        fn lock(&self) -> MutexGuard<'_, QueueState> {
            self.state.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl QueueState {
        fn clear(&mut self) {
            self.lines.clear();
            self.bytes = 0;
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::sync::Arc;
        use std::thread;

        #[test]
        fn what_waits_is_bounded_in_bytes() {
            let queue = Arc::new(LineQueue::default());
            let writer = {
                let queue = queue.clone();
                thread::spawn(move || {
                    let line = "x".repeat(CAPACITY / 3);
                    (0..9).take_while(|_| queue.push(Instant::now(), line.clone())).count()
                })
            };
            thread::sleep(Duration::from_millis(50));
            assert!((1..=3).contains(&queue.lock().lines.len()));
            let far = Instant::now() + Duration::from_secs(20);
            for _ in 0..4 {
                assert!(queue.pop(far, &CancelToken::default(), &mut StopDetector::new()).is_ok());
            }
            queue.abandon();
            assert!(writer.join().unwrap() < 9, "who abandons the queue frees its writer");
            // A line longer than the whole queue fits into an empty one.
            let queue = LineQueue::default();
            assert!(queue.push(Instant::now(), "x".repeat(2 * CAPACITY)));
        }

        #[test]
        fn a_deadline_holds_however_full_the_queue_is() {
            let queue = LineQueue::default();
            let start = Instant::now();
            let deadline = start + Duration::from_millis(10);
            for late in [0, 20, 30] {
                queue.push(start + Duration::from_millis(late), late.to_string());
            }
            let (token, mut stops) = (CancelToken::default(), StopDetector::new());
            assert_eq!(queue.pop(deadline, &token, &mut stops).unwrap().1, "0");
            assert_eq!(queue.pop(deadline, &token, &mut stops), Err(WaitError::Deadline));
            let extended = start + Duration::from_millis(25);
            assert_eq!(queue.pop(extended, &token, &mut stops).unwrap().1, "20");
            queue.end();
            assert_eq!(queue.pop(extended, &token, &mut stops), Err(WaitError::Deadline));
            queue.clear();
            assert_eq!(queue.pop(extended, &token, &mut stops), Err(WaitError::Closed));
            token.cancel();
            assert_eq!(queue.pop(extended, &token, &mut stops), Err(WaitError::Canceled));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::wait::{CancelToken, WaitError};
    use std::io;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    fn shell(script: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    /// The tests of both implementations.
    macro_rules! laws {
        ($kind:ident) => {
            mod $kind {
                use super::super::$kind::Pipes;
                use super::*;

                fn talk(script: &str) -> (Child, Pipes) {
                    let mut child = shell(script);
                    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
                    let pipes = Pipes::new(stdin.unwrap(), stdout.unwrap(), "it").unwrap();
                    (child, pipes)
                }

                #[test]
                fn more_than_the_system_holds_goes_through_both_ways() -> io::Result<()> {
                    let (mut child, mut pipes) = talk("exec cat");
                    let lines: Vec<String> = (0..9).map(|n| n.to_string().repeat(90_000)).collect();
                    for line in &lines {
                        pipes.send(line);
                    }
                    let token = CancelToken::default();
                    for line in &lines {
                        assert!(pipes.next(soon(), &token).unwrap().1 == *line);
                    }
                    pipes.send(&lines[1]);
                    pipes.close_input(Duration::from_secs(20));
                    assert!(pipes.next(soon(), &token).unwrap().1 == lines[1]);
                    assert_eq!(pipes.next(soon(), &token), Err(WaitError::Closed));
                    child.wait().map(drop)
                }

                #[test]
                fn a_line_after_the_deadline_is_there_for_a_later_one() -> io::Result<()> {
                    let (mut child, mut pipes) = talk("read x; printf 'old\nhal'; read x; echo f");
                    let token = CancelToken::default();
                    let first = Instant::now() + Duration::from_millis(20);
                    assert_eq!(pipes.next(first, &token), Err(WaitError::Deadline));
                    pipes.send("");
                    let (at, line) = pipes.next(soon(), &token).unwrap();
                    assert!(line == "old" && at > first && at <= Instant::now());
                    assert_eq!(pipes.next(first, &token), Err(WaitError::Deadline));
                    pipes.send("");
                    assert_eq!(pipes.next(soon(), &token).unwrap().1, "half");
                    assert_eq!(pipes.next(soon(), &token), Err(WaitError::Closed));
                    pipes.send("to nobody");
                    token.cancel();
                    assert_eq!(pipes.next(soon(), &token), Err(WaitError::Canceled));
                    child.wait().map(drop)
                }

                #[test]
                fn a_flood_is_bounded_and_has_a_deadline() -> io::Result<()> {
                    let (mut child, mut pipes) = talk("exec yes 'info depth 1'");
                    let (start, token) = (Instant::now(), CancelToken::default());
                    let deadline = start + Duration::from_millis(30);
                    let end = loop {
                        match pipes.next(deadline, &token) {
                            Ok((at, _)) => assert!(at <= deadline),
                            Err(missed) => break missed,
                        }
                    };
                    assert_eq!(end, WaitError::Deadline);
                    pipes.discard_pending();
                    assert!(pipes.next(soon(), &token).is_ok());
                    pipes.close();
                    // The engine gets an error when it writes to a closed pipe.
                    child.wait().map(drop)
                }

                #[test]
                fn what_nobody_reads_is_bounded() -> io::Result<()> {
                    let (mut child, mut pipes) = talk("exec sleep 60");
                    let line = "x".repeat(1 << 16);
                    (0..1000).for_each(|_| pipes.send(&line));
                    assert!(pipes.unsent() <= 2 * super::super::CAPACITY);
                    child.kill()?;
                    child.wait().map(drop)
                }
            }
        };
    }

    laws!(threaded);
    #[cfg(unix)]
    laws!(polled);
}
