//! The pipes of an engine: lines in and out, none of which can make the arena wait for ever.
//!
//! Where the system can wait for several pipes at a time, the thread of the game reads and writes
//! them itself: an exchange then wakes two threads, the engine's and its own, as few as there can
//! be. Elsewhere, one thread reads for it and one writes.

#[cfg(unix)]
pub(crate) use polled::Pipes;
#[cfg(not(unix))]
pub(crate) use threaded::Pipes;

use log::Level;
use pentarch_protocol::input::LineError;

/// What may wait to be read or to be written, in bytes.
const CAPACITY: usize = 1 << 20;

/// How much of a line goes to the log.
pub(crate) const LOGGED: usize = 300;

/// Leaves out what is no text, with a word about the first line of each kind and one at the end
/// about the others.
#[derive(Debug)]
struct LineFilter {
    label: String,
    /// Lines that are too long, and lines that are not UTF-8.
    left_out: [u64; 2],
    /// What is said later, while a clock runs.
    held: Option<Vec<(Level, String)>>,
}

/// How many lines are held for the log while a clock runs; more of them are not logged.
const HELD: usize = 1000;

const KINDS: [&str; 2] = ["of more than 1 MiB", "not in UTF-8"];

impl LineFilter {
    fn new(label: &str) -> LineFilter {
        LineFilter { label: label.to_owned(), left_out: [0; 2], held: None }
    }

    /// The line, if it is text.
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
        self.left_out[kind] += 1;
        if self.left_out[kind] == 1 {
            self.log(Level::Warn, format!("{} wrote a line {}, ignored", self.label, KINDS[kind]));
        }
        None
    }

    /// Says something, later if a clock runs: a log may be slow.
    fn log(&mut self, level: Level, text: String) {
        match &mut self.held {
            None => log::log!(level, "{text}"),
            Some(held) if held.len() < HELD => held.push((level, text)),
            Some(_) => {}
        }
    }

    /// A clock runs from now on.
    #[cfg(unix)]
    fn hold(&mut self) {
        self.held.get_or_insert_default();
    }

    /// No clock runs any more: says what was held.
    fn release(&mut self) {
        for (level, text) in self.held.take().unwrap_or_default() {
            log::log!(level, "{text}");
        }
    }
}

impl Drop for LineFilter {
    fn drop(&mut self) {
        self.release();
        for (number, kind) in self.left_out.iter().zip(KINDS) {
            if *number > 1 {
                log::warn!("{} wrote {number} lines {kind}, all ignored", self.label);
            }
        }
    }
}

#[cfg(unix)]
mod polled {
    //! Pipes that the thread of the game serves, with `poll`.

    use super::{CAPACITY, LineFilter};
    use crate::wait::{CancelToken, Missed, SLICE};
    use pentarch_protocol::input::LineReader;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::ioctl_fionbio;
    use std::io::{self, BufReader, ErrorKind, Read, Write};
    use std::process::{ChildStdin, ChildStdout};
    use std::time::{Duration, Instant};

    /// What is read at a time, in bytes: what a pipe holds by default.
    const CHUNK: usize = 1 << 16;

    /// The pipes of an engine, neither of which ever blocks.
    #[derive(Debug)]
    pub(crate) struct Pipes {
        input: Option<ChildStdin>,
        /// What the engine had no room for.
        unsent: Vec<u8>,
        output: Option<LineReader<BufReader<Stamped>>>,
        sieve: LineFilter,
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
        pub(crate) fn new(
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
            let (unsent, sieve) = (Vec::new(), LineFilter::new(label));
            let lookout = Lookout::new(Duration::ZERO);
            Ok(Pipes { input, unsent, output, sieve, ahead: None, lookout, asked: false })
        }

        /// From now on, answers are looked for that long before sleeping until they come.
        pub(crate) fn look_out(&mut self, time: Duration) {
            self.lookout = Lookout::new(time);
        }

        /// Sends a line, or as much of it as the engine has room for. The rest follows while its answer is
        /// awaited. An engine that leaves too much lying there finds the end of its input after it.
        pub(crate) fn send(&mut self, line: &str) {
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
        pub(crate) fn next(
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
        pub(crate) fn hold_log(&mut self, hold: bool) {
            if hold {
                self.sieve.hold();
            } else {
                self.sieve.release();
            }
        }

        /// Forgets the lines that wait.
        pub(crate) fn skip_pending(&mut self) {
            self.ahead = None;
            let mut skipped = 0;
            // What the system may hold, and no more of what comes meanwhile.
            while skipped < CAPACITY && self.read() == Ok(true) {
                skipped += self.ahead.take().map_or(1, |line| line.len() + 1);
            }
        }

        /// Ends the input, after what waits for room if the engine takes it within a time.
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

        /// Lets go of both pipes.
        pub(crate) fn close(&mut self) {
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
        pub(crate) fn unsent(&self) -> usize {
            self.unsent.len()
        }
    }

    /// The most answers that are waited for asleep before it is tried again.
    const LONGEST_REST: u32 = 256;

    /// Decides for which answers one looks.
    #[derive(Debug)]
    pub(crate) struct Lookout {
        /// How long; zero means never.
        time: Duration,
        /// For how many answers it is not tried.
        rest: u32,
        /// For how many more after the next one in vain.
        next_rest: u32,
    }

    impl Lookout {
        pub(crate) const fn new(time: Duration) -> Lookout {
            Lookout { time, rest: 0, next_rest: 1 }
        }

        /// Whether the next answer is looked for.
        pub(crate) fn is_due(&mut self) -> bool {
            let is_due = !self.time.is_zero() && self.rest == 0;
            self.rest = self.rest.saturating_sub(1);
            is_due
        }

        /// The answer was there.
        pub(crate) fn found(&mut self) {
            self.next_rest = 1;
        }

        /// Whether to look once more for an answer that was asked for then, after others had the processor.
        pub(crate) fn goes_on(&mut self, start: Instant) -> bool {
            // Where somebody else needs it for long, this takes as long, and was in vain.
            std::thread::yield_now();
            let goes_on = start.elapsed() < self.time;
            if !goes_on {
                self.rest = self.next_rest;
                self.next_rest = (2 * self.next_rest).min(LONGEST_REST);
            }
            goes_on
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Which of so many answers are looked for, if those that are `quick` are there at once.
        fn looked_for(time: Duration, answers: u32, quick: impl Fn(u32) -> bool) -> Vec<u32> {
            let mut lookout = Lookout::new(time);
            let look = |&answer: &u32| {
                let is_due = lookout.is_due();
                if is_due && quick(answer) {
                    lookout.found();
                } else if is_due {
                    let start = Instant::now();
                    while lookout.goes_on(start) {}
                    assert!(start.elapsed() >= time);
                }
                is_due
            };
            (1..=answers).filter(look).collect()
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
    //! Pipes that threads serve, for systems that cannot wait for several pipes at a time.

    use super::{CAPACITY, LineFilter};
    use crate::wait::{CancelToken, Missed, SLICE};
    use pentarch_protocol::input::LineReader;
    use std::collections::VecDeque;
    use std::io::{self, BufReader, Write};
    use std::process::{ChildStdin, ChildStdout};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
    use std::thread;
    use std::time::{Duration, Instant};

    /// The pipes of an engine. One thread reads its output into a bounded queue, one writes its input.
    #[derive(Debug)]
    pub(crate) struct Pipes {
        input: Option<Sender<String>>,
        /// The bytes on their way to the thread that writes.
        unsent: Arc<AtomicUsize>,
        lines: Arc<LineQueue>,
    }

    impl Pipes {
        pub(crate) fn new(
            input: ChildStdin,
            output: ChildStdout,
            label: &str,
        ) -> io::Result<Pipes> {
            let (sender, texts) = mpsc::channel();
            let pipes =
                Pipes { input: Some(sender), unsent: Arc::default(), lines: Arc::default() };
            let thread = |part: &str| thread::Builder::new().name(format!("{label} {part}"));
            let (lines, sieve) = (pipes.lines.clone(), LineFilter::new(label));
            thread("output").spawn(move || {
                read(output, &lines, sieve);
                lines.end();
            })?;
            let unsent = pipes.unsent.clone();
            thread("input").spawn(move || write(input, &texts, &unsent))?;
            Ok(pipes)
        }

        /// Sends a line. An engine that leaves too much lying there finds the end of its input.
        pub(crate) fn send(&mut self, line: &str) {
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
        pub(crate) fn next(
            &mut self,
            deadline: Instant,
            cancel: &CancelToken,
        ) -> Result<(Instant, String), Missed> {
            self.lines.pop(deadline, cancel)
        }

        /// A clock runs, or none: the thread that reads logs by itself.
        #[cfg_attr(unix, expect(dead_code, reason = "only its tests run here"))]
        #[expect(clippy::unused_self, reason = "as where the thread of the game reads")]
        pub(crate) fn hold_log(&mut self, _hold: bool) {}

        /// Whoever reads for others sleeps until there is something to read.
        #[cfg_attr(unix, expect(dead_code, reason = "only its tests run here"))]
        #[expect(clippy::unused_self, reason = "as where the thread of the game reads")]
        pub(crate) fn look_out(&mut self, _time: Duration) {}

        /// Forgets the lines that wait.
        pub(crate) fn skip_pending(&mut self) {
            self.lines.clear();
        }

        /// Ends the input, after what was sent.
        pub(crate) fn close_input(&mut self, _: Duration) {
            self.input = None;
        }

        /// Lets go of both pipes.
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

    /// Reads lines until the end, or until nobody wants more.
    fn read(output: ChildStdout, lines: &LineQueue, mut sieve: LineFilter) {
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

    /// What a line costs beside its text, so that empty lines are bounded as well.
    const OVERHEAD: usize = 64;

    /// A queue between the thread that reads an engine's output and the game. An engine that writes more
    /// than [`CAPACITY`] has to wait.
    ///
    /// A deadline is compared with the time at which a line came, so that neither an engine that never
    /// stops writing nor a game that is slow to read can move it.
    #[derive(Debug, Default)]
    pub(crate) struct LineQueue {
        state: Mutex<State>,
        filled: Condvar,
        emptied: Condvar,
    }

    #[derive(Debug, Default)]
    struct State {
        lines: VecDeque<(Instant, String)>,
        bytes: usize,
        /// No line will come any more.
        ended: bool,
        /// No line will be read any more.
        abandoned: bool,
    }

    impl LineQueue {
        /// Adds a line, as soon as there is room. False if nobody will read it.
        pub(crate) fn push(&self, at: Instant, line: String) -> bool {
            let size = line.len() + OVERHEAD;
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

        /// Says that no line will come any more.
        pub(crate) fn end(&self) {
            self.lock().ended = true;
            self.filled.notify_one();
        }

        /// Says that no line will be read any more.
        pub(crate) fn abandon(&self) {
            let mut state = self.lock();
            state.abandoned = true;
            state.clear();
            drop(state);
            self.emptied.notify_one();
        }

        /// Forgets the lines that wait.
        pub(crate) fn clear(&self) {
            self.lock().clear();
            self.emptied.notify_one();
        }

        /// The next line that came before the deadline, and when.
        pub(crate) fn pop(
            &self,
            deadline: Instant,
            cancel: &CancelToken,
        ) -> Result<(Instant, String), Missed> {
            let mut state = self.lock();
            loop {
                if cancel.is_canceled() {
                    return Err(Missed::Canceled);
                }
                if state.lines.front().is_some_and(|&(at, _)| at > deadline) {
                    return Err(Missed::Deadline);
                }
                if let Some((at, line)) = state.lines.pop_front() {
                    state.bytes -= line.len() + OVERHEAD;
                    drop(state);
                    self.emptied.notify_one();
                    return Ok((at, line));
                }
                if state.ended || state.abandoned {
                    return Err(Missed::Closed);
                }
                let left = deadline.saturating_duration_since(Instant::now());
                if left == Duration::ZERO {
                    return Err(Missed::Deadline);
                }
                let waited = self.filled.wait_timeout(state, left.min(SLICE));
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }

        fn lock(&self) -> MutexGuard<'_, State> {
            self.state.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl State {
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
                assert!(queue.pop(far, &CancelToken::default()).is_ok());
            }
            queue.abandon();
            assert!(writer.join().unwrap() < 9, "who abandons the queue frees its writer");
            // A line that is longer than the whole queue has room in an empty one.
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
            let token = CancelToken::default();
            assert_eq!(queue.pop(deadline, &token).unwrap().1, "0");
            assert_eq!(queue.pop(deadline, &token), Err(Missed::Deadline));
            let extended = start + Duration::from_millis(25);
            assert_eq!(queue.pop(extended, &token).unwrap().1, "20");
            queue.end();
            assert_eq!(queue.pop(extended, &token), Err(Missed::Deadline));
            queue.clear();
            assert_eq!(queue.pop(extended, &token), Err(Missed::Closed));
            token.cancel();
            assert_eq!(queue.pop(extended, &token), Err(Missed::Canceled));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::wait::{CancelToken, Missed};
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

    /// What holds of pipes however they are served.
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
                    assert_eq!(pipes.next(soon(), &token), Err(Missed::Closed));
                    child.wait().map(drop)
                }

                #[test]
                fn a_line_after_the_deadline_is_there_for_a_later_one() -> io::Result<()> {
                    let (mut child, mut pipes) = talk("read x; printf 'old\nhal'; read x; echo f");
                    let token = CancelToken::default();
                    let first = Instant::now() + Duration::from_millis(20);
                    assert_eq!(pipes.next(first, &token), Err(Missed::Deadline));
                    pipes.send("");
                    let (at, line) = pipes.next(soon(), &token).unwrap();
                    assert!(line == "old" && at > first && at <= Instant::now());
                    assert_eq!(pipes.next(first, &token), Err(Missed::Deadline));
                    pipes.send("");
                    assert_eq!(pipes.next(soon(), &token).unwrap().1, "half");
                    assert_eq!(pipes.next(soon(), &token), Err(Missed::Closed));
                    pipes.send("to nobody");
                    token.cancel();
                    assert_eq!(pipes.next(soon(), &token), Err(Missed::Canceled));
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
                    assert_eq!(end, Missed::Deadline);
                    pipes.skip_pending();
                    assert!(pipes.next(soon(), &token).is_ok());
                    pipes.close();
                    // Nobody reads any more, and it is told so.
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
