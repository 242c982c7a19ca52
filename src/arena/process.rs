//! An engine's process: how it is started, asked, watched and ended.

use crate::error::{ArenaError, Failure, Fault};
use crate::pipes::{LOGGED, Pipes};
use crate::procfs::{ProcessorWaits, descendants, this_thread};
use crate::supervisor;
use crate::time_control::FlagFall;
use crate::wait::{CancelToken, Missed, Timeouts};
use pentarch_protocol::input::{LineError, LineReader};
use std::collections::VecDeque;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How an engine is started, kept and ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program.
    pub program: String,
    /// What follows it on the command line.
    pub arguments: Vec<String>,
    /// Where it runs; none means here.
    pub directory: Option<PathBuf>,
    /// What is added to the environment that it inherits.
    pub environment: Vec<(String, String)>,
    /// How long it may take to introduce itself; none is as long as for any answer.
    pub start_limit: Option<Duration>,
    /// How long it may take to leave after it was asked to; none is a second.
    pub stop_limit: Option<Duration>,
    /// When it is started again.
    pub restart: Restart,
    /// The file to which its standard error is added.
    pub log: Option<PathBuf>,
}

/// When an engine's process is started again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// For every game.
    On,
    /// Never: an engine that died loses the games that are left.
    Off,
    /// For the game after the one in which it died or hung.
    #[default]
    Crash,
}

impl Restart {
    /// Its word in an engine's spec.
    pub const fn word(self) -> &'static str {
        match self {
            Restart::On => "on",
            Restart::Off => "off",
            Restart::Crash => "crash",
        }
    }
}

impl Launch {
    /// The command line, for messages.
    pub fn text(&self) -> String {
        let words: Vec<&str> =
            [&self.program].into_iter().chain(&self.arguments).map(String::as_str).collect();
        words.join(" ")
    }
}

/// How long the end of an engine and of all that it has started may take.
#[cfg(unix)]
const ENDING: Duration = Duration::from_secs(5);

/// A running engine. Dropping it asks it to quit, and kills it if it does not, with all that it has
/// started.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    command: String,
    pipes: Pipes,
    /// Whether it has written a line.
    heard: bool,
    label: String,
    farewell: &'static str,
    stop_limit: Duration,
    timeouts: Timeouts,
    cancel: CancelToken,
    /// The engine's processes, as far as they were looked up.
    family: Vec<u32>,
    /// What the engine and our own thread had waited when the move was asked for.
    watch: Watch,
    /// Bytes that it has written since.
    said: usize,
    exchange: Exchange,
}

/// Whether a move is watched for what its player waits.
#[derive(Debug, Default)]
enum Watch {
    /// It is not, or its time does not count.
    #[default]
    Off,
    /// It will be if it is not there at once.
    Due,
    /// The engine and our own thread then.
    From(ProcessorWaits, ProcessorWaits),
}

/// A move that comes sooner is never late; it is not worth a look at the system's counters.
const AT_ONCE: Duration = Duration::from_millis(1);

/// An engine that writes more than this in a move had a processor.
const FLOOD: usize = 1 << 17;

impl Process {
    /// Starts an engine, which leaves when it is sent the farewell.
    pub(crate) fn start(
        launch: &Launch,
        label: &str,
        farewell: &'static str,
        timeouts: Timeouts,
        cancel: CancelToken,
    ) -> Result<Process, ArenaError> {
        let failed = |error| ArenaError::Spawn { command: launch.text(), error };
        let mut command = supervisor::command(&launch.program, &launch.arguments);
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        command.envs(launch.environment.iter().map(|(name, value)| (name, value)));
        let log = launch.log.as_deref().map(EngineLog::open).transpose()?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let pipes = connect(&mut child, label, log).inspect_err(|_| end(&mut child, label));
        let mut pipes = pipes.map_err(failed)?;
        pipes.look_out(timeouts.lookout);
        Ok(Process {
            pipes,
            child,
            command: launch.text(),
            heard: false,
            label: label.to_owned(),
            farewell,
            stop_limit: launch.stop_limit.unwrap_or_else(|| timeouts.grace()),
            timeouts,
            cancel,
            family: Vec::new(),
            watch: Watch::Off,
            said: 0,
            exchange: Exchange::default(),
        })
    }

    /// Sends a line, or several in one piece. If the engine is gone, the next read says so.
    pub(crate) fn send(&mut self, line: &str) {
        self.note_question(line);
        self.pipes.send(line);
    }

    fn note_question(&mut self, lines: &str) {
        log::debug!("{} < {lines:.LOGGED$}", self.label);
        for line in lines.lines() {
            self.exchange.add('<', line);
        }
    }

    /// The last lines exchanged.
    pub(crate) fn exchange(&self) -> Vec<String> {
        self.exchange.lines()
    }

    /// The next line and when it came. `command` is what the engine was asked, for the message
    /// should it not answer before the deadline.
    pub(crate) fn read(
        &mut self,
        command: &str,
        deadline: Deadline,
    ) -> Result<(Instant, String), Failure> {
        match self.next_line(deadline) {
            Ok((at, line)) => {
                self.said += line.len();
                self.exchange.add('>', &line);
                let first = !std::mem::replace(&mut self.heard, true);
                if let Some(error) = supervisor::not_started(&line).filter(|_| first) {
                    return Err(ArenaError::Spawn { command: self.command.clone(), error }.into());
                }
                Ok((at, line))
            }
            Err(Missed::Deadline) => {
                let command = crate::error::shorten(command);
                Err(Fault::Hang { command, time: deadline.wait }.into())
            }
            Err(Missed::Closed) => Err(Fault::Crash(self.post_mortem()).into()),
            Err(Missed::Canceled) => Err(ArenaError::Canceled.into()),
        }
    }

    fn next_line(&mut self, deadline: Deadline) -> Result<(Instant, String), Missed> {
        if matches!(self.watch, Watch::Due) {
            let soon = deadline.at().min(Instant::now() + AT_ONCE);
            let line = self.pipes.next(soon, &self.cancel);
            if !matches!(line, Err(Missed::Deadline)) {
                return line;
            }
            if self.family.is_empty() {
                self.family = descendants(self.child.id());
            }
            let (engine, ours) = waits(&self.family);
            self.watch = Watch::From(engine, ours);
        }
        self.pipes.next(deadline.at(), &self.cancel)
    }

    /// What the engine and our own thread have waited since the question.
    fn waited(&mut self) -> Duration {
        let Watch::From(engine, ours) = std::mem::take(&mut self.watch) else {
            return Duration::ZERO;
        };
        let (engine_now, ours_now) = waits(&descendants(self.child.id()));
        engine_now.since(&engine) + ours_now.since(&ours)
    }

    /// Asks for a move in as many lines as the protocol takes, and returns the answer with the time
    /// from the question on. An engine that is late is sent `stop`, if there is such a word, and has
    /// a grace more. One that is late because it had to wait for a processor is no culprit.
    pub(crate) fn ask_for_move<T>(
        &mut self,
        question: &[String],
        limit: Option<Duration>,
        stop: Option<&str>,
        answer: impl FnMut(&mut Process, Deadline) -> Result<(Instant, T), Failure>,
    ) -> Result<(Duration, T), Failure> {
        let question = question.join("\n");
        // A log may be slow, which is not to be charged to the engine.
        self.note_question(&question);
        self.pipes.hold_log(true);
        let answered = self.timed_answer(&question, limit, stop, answer);
        self.pipes.hold_log(false);
        answered
    }

    fn timed_answer<T>(
        &mut self,
        question: &str,
        limit: Option<Duration>,
        stop: Option<&str>,
        mut answer: impl FnMut(&mut Process, Deadline) -> Result<(Instant, T), Failure>,
    ) -> Result<(Duration, T), Failure> {
        let deadline = Deadline::after(self.timeouts.for_move(limit));
        self.watch = if limit.is_some() { Watch::Due } else { Watch::Off };
        self.said = 0;
        self.pipes.send(question);
        let mut answered = answer(self, deadline);
        if let Err(Failure::Fault(Fault::Hang { .. })) = answered {
            if let Some(stop) = stop {
                self.send(stop);
            }
            answered = answer(self, deadline.extended(self.timeouts.grace()));
        }
        let (time, late) = match answered {
            Ok((at, answer)) => (at.saturating_duration_since(deadline.start), Ok(answer)),
            Err(Failure::Fault(fault @ Fault::Hang { .. })) => {
                (deadline.start.elapsed(), Err(fault))
            }
            Err(failure) => return Err(failure),
        };
        let (Some(limit), margin) = (limit, self.timeouts.margin) else {
            return Ok((time, late?));
        };
        if time > limit + margin && self.said < FLOOD {
            let (fall, waited) = (FlagFall { time, limit }, self.waited());
            let fault = late.err().unwrap_or(Fault::FlagFall(fall));
            return Err(fault.or_busy(fall, margin, waited).into());
        }
        Ok((time, late?))
    }

    /// From now on, waits end by another token.
    pub(crate) fn listen_to(&mut self, cancel: CancelToken) {
        self.cancel = cancel;
    }

    /// Forgets lines that were not asked for.
    pub(crate) fn skip_pending(&mut self) {
        self.pipes.skip_pending();
    }

    /// What the log calls this process.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// From now on, the arena is as patient as that.
    pub(crate) fn set_timeouts(&mut self, timeouts: Timeouts) {
        self.timeouts = timeouts;
    }

    /// How patient the arena is with this process.
    pub(crate) fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    /// Whether the process is still there.
    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// How the process ended, once its output has.
    fn post_mortem(&mut self) -> String {
        match self.exit_within(Duration::from_millis(500)) {
            Some(status) => status,
            None => "it closed its output".to_owned(),
        }
    }

    /// Ends the input, which asks the engine to leave.
    pub(crate) fn close_input(&mut self) {
        self.pipes.close_input(self.timeouts.grace());
    }

    /// How the process ended, if it does within a time.
    pub(crate) fn exit_within(&mut self, time: Duration) -> Option<String> {
        exit_within(&mut self.child, time)
    }

    /// Ends a process that does not deserve politeness.
    pub(crate) fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.pipes.close();
        end(&mut self.child, &self.label);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.is_running() {
            self.send(self.farewell);
            // The end of its input and of its output ask it to leave as well.
            self.pipes.close();
            if self.exit_within(self.stop_limit).is_none() {
                log::debug!("{} does not quit and is killed", self.label);
            }
        }
        self.end();
    }
}

/// The end of a wait and its length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    start: Instant,
    wait: Duration,
}

impl Deadline {
    /// That long from now.
    pub(crate) fn after(wait: Duration) -> Deadline {
        Deadline { start: Instant::now(), wait }
    }

    /// Later by that much.
    pub(crate) fn extended(self, wait: Duration) -> Deadline {
        Deadline { wait: self.wait + wait, ..self }
    }

    fn at(self) -> Instant {
        self.start + self.wait
    }
}

/// Takes the pipes of an engine. A thread drains its complaints into the log.
fn connect(child: &mut Child, label: &str, log: Option<EngineLog>) -> io::Result<Pipes> {
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(io::Error::other("no pipes"));
    };
    let (thread, name) = (thread::Builder::new(), label.to_owned());
    let thread = thread.name(format!("{label} errors"));
    thread.spawn(move || log_errors(stderr, &name, log))?;
    Pipes::new(stdin, stdout, label)
}

/// How a process ended, if it does within a time.
fn exit_within(process: &mut Child, time: Duration) -> Option<String> {
    let deadline = Instant::now() + time;
    loop {
        match process.try_wait() {
            Ok(Some(status)) => return Some(status.to_string()),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => return None,
        }
    }
}

/// Ends an engine and all that it has started.
fn end(process: &mut Child, label: &str) {
    #[cfg(unix)]
    if matches!(process.try_wait(), Ok(None)) {
        supervisor::ask_to_end(process.id());
        if exit_within(process, ENDING).is_none() {
            log::warn!("{label} cannot be ended");
        }
    }
    #[cfg(not(unix))]
    log::debug!("{label} is ended");
    let _ = process.kill();
    let _ = process.wait();
}

/// What those processes and our own thread have waited.
fn waits(processes: &[u32]) -> (ProcessorWaits, ProcessorWaits) {
    (ProcessorWaits::of_processes(processes), ProcessorWaits::of_threads(this_thread().as_slice()))
}

fn log_errors(errors: impl Read, label: &str, mut log: Option<EngineLog>) {
    let mut lines = LineReader::new(BufReader::new(errors));
    while let Ok(Some(line)) = lines.read() {
        let text = match &line {
            Ok(text) => text,
            Err(LineError::TooLong) => "(a line of more than 1 MiB)",
            Err(LineError::NotUtf8) => "(a line not in UTF-8)",
        };
        log::debug!("{label} ! {text:.LOGGED$}");
        if let Some(log) = &mut log {
            log.add(text);
        }
    }
}

impl Process {
    /// Sends a command and waits for its answer, as long as an engine may be silent. `answer` is given
    /// each line and says what it comes to, if it is the answer.
    pub(crate) fn ask<T>(
        &mut self,
        command: impl Display,
        answer: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<T, Failure> {
        let command = command.to_string();
        self.send(&command);
        let deadline = Deadline::after(self.timeouts().silence);
        self.read_until(&command, deadline, answer).map(|(_, answer)| answer)
    }

    /// Asks for a move by commands, the last of which is answered by a line. See
    /// [`Process::ask_for_move`].
    pub(crate) fn ask_for_line<T>(
        &mut self,
        commands: impl IntoIterator<Item: Display>,
        limit: Option<Duration>,
        stop: Option<impl Display>,
        mut answer: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<(Duration, T), Failure> {
        let question: Vec<_> = commands.into_iter().map(|line| line.to_string()).collect();
        let last = question.last().cloned().unwrap_or_default();
        let stop = stop.map(|stop| stop.to_string());
        self.ask_for_move(&question, limit, stop.as_deref(), |process, deadline| {
            process.read_until(&last, deadline, &mut answer)
        })
    }

    /// The answer to a question that has been asked, and when it came.
    pub(crate) fn read_until<T>(
        &mut self,
        question: &str,
        deadline: Deadline,
        mut answer: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<(Instant, T), Failure> {
        loop {
            let (at, line) = self.read(question, deadline)?;
            if let Some(answer) = answer(&line)? {
                return Ok((at, answer));
            }
        }
    }
}

/// How many lines are kept.
const LINES: usize = 20;

/// How many characters of each.
const WIDTH: usize = 200;

/// The last lines in both directions, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Exchange(VecDeque<String>);

impl Exchange {
    /// Adds a line: `<` was sent to the engine, `>` came from it.
    pub(crate) fn add(&mut self, direction: char, line: &str) {
        // The oldest line makes room, and its memory is used again.
        let full = self.0.len() == LINES;
        let mut text = full.then(|| self.0.pop_front()).flatten().unwrap_or_default();
        text.clear();
        text.extend([direction, ' ']);
        let cut = line.char_indices().nth(WIDTH).map(|(end, _)| end);
        let head = &line[..cut.unwrap_or(line.len())];
        if head.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
            text.push_str(head);
        } else {
            text.extend(head.chars().map(|c| if c.is_control() { ' ' } else { c }));
        }
        if cut.is_some() {
            text.push('…');
        }
        self.0.push_back(text);
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.iter().cloned().collect()
    }
}

/// A file that grows to some size and no further. Several processes of an engine may share it.
#[derive(Debug)]
pub(crate) struct EngineLog(Option<File>);

/// The greatest size of a log, in bytes.
const CAPACITY: u64 = 16 << 20;

impl EngineLog {
    /// A log that adds to a file.
    pub(crate) fn open(path: &Path) -> Result<EngineLog, ArenaError> {
        let file = File::options().create(true).append(true).open(path);
        file.map(|file| EngineLog(Some(file))).map_err(|error| {
            let path = path.display();
            ArenaError::Setup(format!("cannot write `stderr={path}`: {error}; check the path"))
        })
    }

    /// Adds a line, unless the file is full.
    pub(crate) fn add(&mut self, line: &str) {
        let Some(file) = &mut self.0 else { return };
        let size = file.metadata().map_or(CAPACITY, |metadata| metadata.len());
        let is_full = size + line.len() as u64 > CAPACITY;
        let line = if is_full { "(the rest is left out)" } else { line };
        // In one piece, so that lines of several processes do not mix.
        if file.write_all(format!("{line}\n").as_bytes()).is_err() || is_full {
            self.0 = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded() {
        let mut exchange = Exchange::default();
        for number in 0..30 {
            exchange.add('<', &format!("line {number}"));
        }
        exchange.add('>', &"\u{1b}[31m".repeat(100));
        let lines = exchange.lines();
        assert_eq!((lines.len(), lines[0].as_str()), (20, "< line 11"));
        assert_eq!(lines[19].chars().count(), 203);
        assert!(lines[19].starts_with(">  [31m [31m") && lines[19].ends_with('…'));
    }
}
