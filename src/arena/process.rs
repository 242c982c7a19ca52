//! An engine's process: starting it, talking to it, timing it and ending it.

use crate::error::{ArenaError, Fault, PlayerError};
use crate::pipes::{LOGGED, Pipes};
use crate::procfs::{SchedulingDelays, descendants, processors, this_thread};
use crate::supervisor;
use crate::time_control::FlagFall;
use crate::wait::{CancelToken, Timeouts, WaitError};
use pentarch_protocol::input::{LineError, LineReader};
use std::collections::VecDeque;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How an engine's process is started, restarted and ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchOptions {
    pub program: String,
    pub arguments: Vec<String>,
    /// The working directory; `None` is the current one.
    pub directory: Option<PathBuf>,
    /// Additional environment variables.
    pub environment: Vec<(String, String)>,
    /// The time for the handshake; `None` is the time for any response.
    pub start_limit: Option<Duration>,
    /// The time to exit after being asked to; `None` is a second.
    pub stop_limit: Option<Duration>,
    /// When it is started again.
    pub restart: RestartPolicy,
    /// The file to which its standard error is appended.
    pub log: Option<PathBuf>,
}

/// When an engine's process is started again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RestartPolicy {
    /// For every game.
    On,
    /// Never: an engine that crashed loses its remaining games.
    Off,
    /// For the next game after a crash or a hang.
    #[default]
    Crash,
}

impl RestartPolicy {
    /// The value of `restart=` in an engine's spec.
    pub const fn word(self) -> &'static str {
        match self {
            RestartPolicy::On => "on",
            RestartPolicy::Off => "off",
            RestartPolicy::Crash => "crash",
        }
    }
}

impl LaunchOptions {
    /// Fails if there is no such program.
    pub fn check_program(&self) -> Result<(), ArenaError> {
        let (directory, program) = (self.directory.as_deref(), Path::new(&self.program));
        if let Some(directory) = directory.filter(|directory| !directory.is_dir()) {
            return Err(self.cannot_start(format!("there is no folder {}", directory.display())));
        }
        let in_directory = directory.unwrap_or(Path::new("")).join(program);
        let path = self.environment.iter().rfind(|(name, _)| name == "PATH");
        let path = path.map(|(_, value)| value.into()).or_else(|| std::env::var_os("PATH"));
        let folders: Vec<PathBuf> = path.iter().flat_map(std::env::split_paths).collect();
        let is_found = if program.components().count() > 1 {
            is_program(&in_directory)
        } else {
            folders.iter().any(|folder| is_program(&folder.join(program)))
        };
        let unknown = || self.cannot_start("there is no such program".to_owned());
        if is_found { Ok(()) } else { Err(unknown()) }
    }

    fn cannot_start(&self, reason: String) -> ArenaError {
        let error = io::Error::new(io::ErrorKind::NotFound, reason);
        ArenaError::Spawn { command: self.command_line(), error }
    }

    /// The command line, for messages.
    pub fn command_line(&self) -> String {
        let words: Vec<&str> =
            [&self.program].into_iter().chain(&self.arguments).map(String::as_str).collect();
        words.join(" ")
    }
}

/// Whether a file can be executed.
#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Whether a file can be executed; the system may append an extension.
#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}

/// The maximum time to end an engine and its descendants.
#[cfg(unix)]
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// A running engine. Dropping it asks it to quit, and kills it and its descendants if it does not.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    command: String,
    pipes: Pipes,
    /// Whether it has written a line.
    has_output: bool,
    label: String,
    quit_command: &'static str,
    stop_limit: Duration,
    timeouts: Timeouts,
    cancel: CancelToken,
    /// The engine's processes, if they were looked up.
    processes: Vec<u32>,
    /// The scheduling delays when the move was asked for.
    delay_baseline: DelayBaseline,
    /// The number of bytes received until then.
    received_before: u64,
    transcript: TranscriptTail,
    /// The last lines of the standard error.
    errors: Arc<Mutex<TranscriptTail>>,
    /// The thread that reads the standard error.
    error_reader: JoinHandle<()>,
}

/// The state of the measurement of scheduling delays during a move.
#[derive(Debug, Default)]
enum DelayBaseline {
    /// Nothing is measured.
    #[default]
    Off,
    /// The measurement starts if the move does not come at once.
    Due,
    /// The delays of the engine and of the own thread at the start.
    From(SchedulingDelays, SchedulingDelays),
}

/// How much later than an engine the arena may receive a signal that is sent to both.
const SIGNAL_DELAY: Duration = Duration::from_millis(20);

/// A move that comes sooner is never late, so the counters of the system need not be read.
const PROMPT: Duration = Duration::from_millis(1);

/// An engine that wrote more bytes than this during a move had a processor.
const FLOOD: u64 = 1 << 17;

impl Process {
    /// Starts an engine. `quit_command` asks it to exit.
    pub(crate) fn start(
        launch: &LaunchOptions,
        label: &str,
        quit_command: &'static str,
        timeouts: Timeouts,
        cancel: CancelToken,
    ) -> Result<Process, ArenaError> {
        let failed = |error| ArenaError::Spawn { command: launch.command_line(), error };
        let mut command = supervisor::command(&launch.program, &launch.arguments);
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        command.envs(launch.environment.iter().map(|(name, value)| (name, value)));
        let log = launch.log.as_deref().map(EngineLog::open).transpose()?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let errors = Arc::<Mutex<TranscriptTail>>::default();
        let connected = connect(&mut child, label, log, errors.clone());
        let connected = connected.inspect_err(|_| end(&mut child, label));
        let (mut pipes, error_reader) = connected.map_err(failed)?;
        pipes.set_spin_wait(timeouts.spin_wait);
        Ok(Process {
            pipes,
            child,
            command: launch.command_line(),
            has_output: false,
            label: label.to_owned(),
            quit_command,
            stop_limit: launch.stop_limit.unwrap_or_else(|| timeouts.grace()),
            timeouts,
            cancel,
            processes: Vec::new(),
            delay_baseline: DelayBaseline::Off,
            received_before: 0,
            transcript: TranscriptTail::default(),
            errors,
            error_reader,
        })
    }

    /// Sends one or several lines in one write. If the engine is gone, the next read reports it.
    pub(crate) fn send(&mut self, line: &str) {
        self.note_question(line);
        self.pipes.send(line);
    }

    fn note_question(&mut self, lines: &str) {
        log::debug!("{} < {lines:.LOGGED$}", self.label);
        for line in lines.lines() {
            self.transcript.add('<', line);
        }
    }

    /// The last lines exchanged.
    pub(crate) fn transcript_tail(&self) -> Vec<String> {
        self.transcript.lines()
    }

    /// The next line and the time at which it arrived. `command` names the question in the error
    /// after the deadline.
    pub(crate) fn read(
        &mut self,
        command: &str,
        deadline: Deadline,
    ) -> Result<(Instant, String), PlayerError> {
        match self.next_line(deadline) {
            Ok((at, line)) => {
                self.transcript.add('>', &line);
                let first = !std::mem::replace(&mut self.has_output, true);
                if let Some(error) = supervisor::not_started(&line).filter(|_| first) {
                    return Err(ArenaError::Spawn { command: self.command.clone(), error }.into());
                }
                Ok((at, line))
            }
            Err(WaitError::Deadline) => {
                let command = crate::error::shorten(command);
                Err(Fault::Hang { command, time: deadline.wait }.into())
            }
            Err(WaitError::Closed) => {
                let post_mortem = self.post_mortem();
                // A signal to the whole group or service ends the engine as well, maybe earlier.
                thread::sleep(SIGNAL_DELAY);
                if self.cancel.is_canceled() {
                    return Err(ArenaError::Canceled.into());
                }
                Err(Fault::Crash(post_mortem).into())
            }
            Err(WaitError::Canceled) => Err(ArenaError::Canceled.into()),
        }
    }

    fn next_line(&mut self, deadline: Deadline) -> Result<(Instant, String), WaitError> {
        if matches!(self.delay_baseline, DelayBaseline::Due) {
            let soon = deadline.at().min(Instant::now() + PROMPT);
            let line = self.pipes.next(soon, &self.cancel);
            if !matches!(line, Err(WaitError::Deadline)) {
                return line;
            }
            if self.processes.is_empty() {
                self.processes = descendants(self.child.id());
            }
            let (engine, ours) = waits(&self.processes);
            self.delay_baseline = DelayBaseline::From(engine, ours);
        }
        self.pipes.next(deadline.at(), &self.cancel)
    }

    /// The scheduling delays of the engine and of the own thread since the question. An engine that
    /// wrote much had a processor.
    fn scheduling_delays(&self) -> Duration {
        match &self.delay_baseline {
            DelayBaseline::From(engine, ours)
                if self.pipes.received().saturating_sub(self.received_before) < FLOOD =>
            {
                let (engine_now, ours_now) = waits(&descendants(self.child.id()));
                engine_now.since(engine, processors()) + ours_now.since(ours, 1)
            }
            _ => Duration::ZERO,
        }
    }

    /// Asks for a move and returns the answer with its time. A late engine is sent `stop`, if the
    /// protocol has such a command, and gets a grace period. A fault caused by scheduling delays is
    /// [`Fault::MachineBusy`].
    pub(crate) fn ask_for_move<T>(
        &mut self,
        question: &[String],
        limit: Option<Duration>,
        stop: Option<&str>,
        answer: impl FnMut(&mut Process, Deadline) -> Result<(Instant, T), PlayerError>,
    ) -> Result<(Duration, T), PlayerError> {
        let question = question.join("\n");
        // Logging may be slow and must not be charged to the engine.
        self.note_question(&question);
        self.pipes.defer_log(true);
        let answered = self.timed_answer(&question, limit, stop, answer);
        self.pipes.defer_log(false);
        answered
    }

    fn timed_answer<T>(
        &mut self,
        question: &str,
        limit: Option<Duration>,
        stop: Option<&str>,
        mut answer: impl FnMut(&mut Process, Deadline) -> Result<(Instant, T), PlayerError>,
    ) -> Result<(Duration, T), PlayerError> {
        let deadline = Deadline::after(self.timeouts.for_move(limit));
        self.delay_baseline = if limit.is_some() { DelayBaseline::Due } else { DelayBaseline::Off };
        self.received_before = self.pipes.received();
        self.pipes.send(question);
        let mut answered = answer(self, deadline);
        let grace = self.timeouts.grace().max(PROMPT);
        let (mut late, mut stopped) = (deadline, Duration::ZERO);
        while matches!(answered, Err(PlayerError::Fault(Fault::Hang { .. }))) {
            if late.wait == deadline.wait {
                if let Some(stop) = stop {
                    // The next wait does not count earlier stops of the arena.
                    stopped = self.pipes.stopped();
                    late = late.extended(stopped);
                    self.send(stop);
                }
            } else {
                let delay = late.wait.saturating_sub(deadline.wait);
                let is_excused = limit.is_some() && self.scheduling_delays() >= delay;
                if !is_excused || delay > self.timeouts.response {
                    break;
                }
            }
            // An engine that waits for a processor gets more time.
            late = late.extended(grace);
            answered = answer(self, late);
        }
        stopped += self.pipes.stopped();
        if limit.is_some() && !stopped.is_zero() {
            // Nobody knows when the answer came, and the engine may have been stopped as well.
            return Err(Fault::ArenaStopped(stopped).into());
        }
        let (at, answer) = answered?;
        let (time, margin) = (at.saturating_duration_since(deadline.start), self.timeouts.margin);
        match limit {
            Some(limit) if time > limit + margin => {
                let waited = self.scheduling_delays();
                Err(Fault::late(FlagFall { time, limit }, margin, waited).into())
            }
            _ => Ok((time, answer)),
        }
    }

    /// Replaces the token that cancels waits.
    pub(crate) fn set_cancel_token(&mut self, cancel: CancelToken) {
        self.cancel = cancel;
    }

    /// Discards lines that were not asked for.
    pub(crate) fn discard_pending(&mut self) {
        self.pipes.discard_pending();
    }

    /// The name of this process in the log.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    pub(crate) fn set_timeouts(&mut self, timeouts: Timeouts) {
        self.timeouts = timeouts;
    }

    pub(crate) fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// How the process ended, after its output was closed.
    fn post_mortem(&mut self) -> String {
        match self.exit_within(Duration::from_millis(500)) {
            Some(status) => status,
            None => "it closed its output".to_owned(),
        }
    }

    /// Closes the input, which asks the engine to exit.
    pub(crate) fn close_input(&mut self) {
        self.pipes.close_input(self.timeouts.grace());
    }

    /// The exit status, if the process exits within a time.
    pub(crate) fn exit_within(&mut self, time: Duration) -> Option<String> {
        exit_within(&mut self.child, time)
    }

    /// Kills the process without asking it to quit. Returns the last lines of its standard error.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.end();
        // The pipe is closed, unless a descendant has escaped.
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.error_reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).lines()
    }

    fn end(&mut self) {
        self.pipes.close();
        end(&mut self.child, &self.label);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.is_running() {
            self.send(self.quit_command);
            // Closed pipes ask the engine to exit as well.
            self.pipes.close();
            if self.exit_within(self.stop_limit).is_none() {
                log::debug!("{} does not quit and is killed", self.label);
            }
        }
        self.end();
    }
}

/// A deadline, with the length of the wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    start: Instant,
    wait: Duration,
}

impl Deadline {
    pub(crate) fn after(wait: Duration) -> Deadline {
        Deadline { start: Instant::now(), wait }
    }

    /// The deadline postponed by `wait`.
    pub(crate) fn extended(self, wait: Duration) -> Deadline {
        Deadline { wait: self.wait + wait, ..self }
    }

    fn at(self) -> Instant {
        self.start + self.wait
    }
}

/// Takes the pipes of an engine. A thread copies its standard error to the log and keeps the last lines.
fn connect(
    child: &mut Child,
    label: &str,
    log: Option<EngineLog>,
    kept: Arc<Mutex<TranscriptTail>>,
) -> io::Result<(Pipes, JoinHandle<()>)> {
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(io::Error::other("no pipes"));
    };
    let (thread, name) = (thread::Builder::new(), label.to_owned());
    let thread = thread.name(format!("{label} errors"));
    let reader = thread.spawn(move || log_errors(stderr, &name, log, &kept))?;
    Ok((Pipes::new(stdin, stdout, label)?, reader))
}

/// The exit status, if the process exits within a time.
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

/// Ends an engine and its descendants.
fn end(process: &mut Child, label: &str) {
    #[cfg(unix)]
    if matches!(process.try_wait(), Ok(None)) {
        supervisor::terminate(process.id());
        if exit_within(process, KILL_TIMEOUT).is_none() {
            log::warn!("{label} cannot be ended");
        }
    }
    #[cfg(not(unix))]
    log::debug!("{label} is ended");
    let _ = process.kill();
    let _ = process.wait();
}

/// The scheduling delays of these processes and of the own thread.
fn waits(processes: &[u32]) -> (SchedulingDelays, SchedulingDelays) {
    (
        SchedulingDelays::of_processes(processes),
        SchedulingDelays::of_threads(this_thread().as_slice()),
    )
}

fn log_errors(
    errors: impl Read,
    label: &str,
    mut log: Option<EngineLog>,
    kept: &Mutex<TranscriptTail>,
) {
    let mut lines = LineReader::new(BufReader::new(errors));
    while let Ok(Some(line)) = lines.read() {
        let text = match &line {
            Ok(text) => text,
            Err(LineError::TooLong) => "(a line of more than 1 MiB)",
            Err(LineError::NotUtf8) => "(a line not in UTF-8)",
        };
        log::debug!("{label} ! {text:.LOGGED$}");
        kept.lock().unwrap_or_else(PoisonError::into_inner).add('!', text);
        if let Some(log) = &mut log {
            log.add(text);
        }
    }
}

impl Process {
    /// Sends a command and waits for its answer, within the response timeout. `answer` returns a
    /// value for the line that is the answer.
    pub(crate) fn ask<T>(
        &mut self,
        command: impl Display,
        answer: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<T, PlayerError> {
        let command = command.to_string();
        self.send(&command);
        let deadline = Deadline::after(self.timeouts().response);
        self.read_until(&command, deadline, answer).map(|(_, answer)| answer)
    }

    /// Asks for a move whose answer is a single line. See [`Process::ask_for_move`].
    pub(crate) fn ask_for_line<T>(
        &mut self,
        commands: impl IntoIterator<Item: Display>,
        limit: Option<Duration>,
        stop: Option<impl Display>,
        mut answer: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<(Duration, T), PlayerError> {
        let question: Vec<_> = commands.into_iter().map(|line| line.to_string()).collect();
        let last = question.last().cloned().unwrap_or_default();
        let stop = stop.map(|stop| stop.to_string());
        self.ask_for_move(&question, limit, stop.as_deref(), |process, deadline| {
            process.read_until(&last, deadline, &mut answer)
        })
    }

    /// Reads lines until one of them is the answer; returns it and the time at which it arrived.
    pub(crate) fn read_until<T>(
        &mut self,
        question: &str,
        deadline: Deadline,
        mut answer: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<(Instant, T), PlayerError> {
        loop {
            let (at, line) = self.read(question, deadline)?;
            if let Some(answer) = answer(&line)? {
                return Ok((at, answer));
            }
        }
    }
}

/// The number of lines kept.
const TRANSCRIPT_LINES: usize = 20;

/// The number of characters kept of a line.
const TRANSCRIPT_WIDTH: usize = 200;

/// The last lines exchanged with an engine, oldest first, for the record of a fault.
#[derive(Debug, Default)]
pub(crate) struct TranscriptTail(VecDeque<String>);

impl TranscriptTail {
    /// Adds a line: `<` was sent to the engine, `>` was received, `!` came from its standard error.
    pub(crate) fn add(&mut self, direction: char, line: &str) {
        // The memory of the oldest line is reused.
        let full = self.0.len() == TRANSCRIPT_LINES;
        let mut text = full.then(|| self.0.pop_front()).flatten().unwrap_or_default();
        text.clear();
        text.extend([direction, ' ']);
        let cut = line.char_indices().nth(TRANSCRIPT_WIDTH).map(|(end, _)| end);
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

/// A log file of an engine's standard error with a maximum size. Several processes of an engine may
/// share it.
#[derive(Debug)]
pub(crate) struct EngineLog(Option<File>);

/// The maximum size of a log, in bytes.
const LOG_CAPACITY: u64 = 16 << 20;

impl EngineLog {
    /// Opens a file for appending.
    pub(crate) fn open(path: &Path) -> Result<EngineLog, ArenaError> {
        let file = File::options().create(true).append(true).open(path);
        file.map(|file| EngineLog(Some(file))).map_err(|error| {
            let path = path.display();
            ArenaError::Setup(format!("cannot write `stderr={path}`: {error}; check the path"))
        })
    }

    /// Appends a line, unless the file is full.
    pub(crate) fn add(&mut self, line: &str) {
        let Some(file) = &mut self.0 else { return };
        let size = file.metadata().map_or(LOG_CAPACITY, |metadata| metadata.len());
        let is_full = size + line.len() as u64 > LOG_CAPACITY;
        let line = if is_full { "(the rest is left out)" } else { line };
        // A single write, so that lines of several processes do not mix.
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
        let mut transcript = TranscriptTail::default();
        for number in 0..30 {
            transcript.add('<', &format!("line {number}"));
        }
        transcript.add('>', &"\u{1b}[31m".repeat(100));
        let lines = transcript.lines();
        assert_eq!((lines.len(), lines[0].as_str()), (20, "< line 11"));
        assert_eq!(lines[19].chars().count(), 203);
        assert!(lines[19].starts_with(">  [31m [31m") && lines[19].ends_with('…'));
    }
}
