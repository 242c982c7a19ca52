//! An engine's process: lines in and out, none of which can make the arena wait for ever.
//!
//! One thread reads the engine's output into a bounded queue, one drains its complaints into the
//! log, one writes its input, because an engine that does not read could block a write for ever.

use super::engine_log::EngineLog;
use super::fault::{ArenaError, Failure, Fault};
use super::line_queue::LineQueue;
use super::process_tree::descendants;
use super::processor_waits::{ProcessorWaits, this_thread};
use super::supervisor;
use super::time::FlagFall;
use super::wait::{CancelToken, Missed, Timeouts};
use pentarch_protocol::frame::{Line, LineReader};
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
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

impl Launch {
    /// The command line, for messages.
    pub fn text(&self) -> String {
        let words: Vec<&str> =
            [&self.program].into_iter().chain(&self.arguments).map(String::as_str).collect();
        words.join(" ")
    }
}

/// How much of a line goes to the log.
const LOGGED: usize = 300;

/// How long the end of an engine and of all that it has started may take.
const ENDING: Duration = Duration::from_secs(5);

/// A running engine. Dropping it asks it to quit, and kills it if it does not, with all that it has
/// started.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    command: String,
    input: Option<Sender<String>>,
    lines: Arc<LineQueue>,
    /// Whether it has written a line.
    heard: bool,
    label: String,
    farewell: &'static str,
    stop_limit: Duration,
    timeouts: Timeouts,
    cancel: CancelToken,
    /// The engine's processes, as far as they were looked up.
    family: Vec<u32>,
    /// The threads that serve the pipes.
    helpers: Arc<Mutex<Vec<u32>>>,
    /// What the engine and the threads had waited when the move was asked for.
    watch: Watch,
    /// Bytes that it has written since.
    said: usize,
}

/// Whether a move is watched for what its player waits.
#[derive(Debug, Default)]
enum Watch {
    /// It is not, or its time does not count.
    #[default]
    Off,
    /// It will be if it is not there at once.
    Due,
    /// The engine and our own threads then.
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
        let child = command.spawn().map_err(failed)?;
        // From here on the process is killed should anything fail.
        let mut process = Process {
            child,
            command: launch.text(),
            input: None,
            lines: Arc::default(),
            heard: false,
            label: label.to_owned(),
            farewell,
            stop_limit: launch.stop_limit.unwrap_or_else(|| timeouts.grace()),
            timeouts,
            cancel,
            family: Vec::new(),
            helpers: Arc::default(),
            watch: Watch::Off,
            said: 0,
        };
        process.connect(log).map_err(failed)?;
        Ok(process)
    }

    /// Starts the threads that serve the pipes.
    fn connect(&mut self, log: Option<EngineLog>) -> io::Result<()> {
        let (input, texts) = mpsc::channel();
        let pipes = (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("no pipes"));
        };
        let thread = |part: &str| thread::Builder::new().name(format!("{} {part}", self.label));
        let (label, lines) = (self.label.clone(), self.lines.clone());
        let helpers = self.helpers.clone();
        thread("output").spawn(move || {
            enlist(&helpers);
            read_output(stdout, &lines, &label);
            lines.end();
        })?;
        let label = self.label.clone();
        thread("errors").spawn(move || log_errors(stderr, &label, log))?;
        let helpers = self.helpers.clone();
        thread("input").spawn(move || {
            enlist(&helpers);
            write_input(stdin, &texts);
        })?;
        self.input = Some(input);
        Ok(())
    }

    /// Sends a line, or several in one piece. If the engine is gone, the next read says so.
    pub(crate) fn send(&self, line: &str) {
        log::debug!("{} < {line:.LOGGED$}", self.label);
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
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
                let first = !std::mem::replace(&mut self.heard, true);
                if let Some(error) = supervisor::not_started(&line).filter(|_| first) {
                    return Err(ArenaError::Spawn { command: self.command.clone(), error }.into());
                }
                Ok((at, line))
            }
            Err(Missed::Deadline) => {
                let command = super::fault::shorten(command);
                Err(Fault::Hang { command, time: deadline.wait }.into())
            }
            Err(Missed::Closed) => Err(Fault::Crash(self.post_mortem()).into()),
            Err(Missed::Canceled) => Err(ArenaError::Canceled.into()),
        }
    }

    fn next_line(&mut self, deadline: Deadline) -> Result<(Instant, String), Missed> {
        if matches!(self.watch, Watch::Due) {
            let soon = deadline.at().min(Instant::now() + AT_ONCE);
            let line = self.lines.pop(soon, &self.cancel);
            if !matches!(line, Err(Missed::Deadline)) {
                return line;
            }
            if self.family.is_empty() {
                self.family = descendants(self.child.id());
            }
            let (engine, ours) = self.waits(&self.family);
            self.watch = Watch::From(engine, ours);
        }
        self.lines.pop(deadline.at(), &self.cancel)
    }

    /// What those processes and our own threads have waited.
    fn waits(&self, processes: &[u32]) -> (ProcessorWaits, ProcessorWaits) {
        let helpers = self.helpers.lock().unwrap_or_else(PoisonError::into_inner);
        (ProcessorWaits::of_processes(processes), ProcessorWaits::of_threads(&helpers))
    }

    /// What the engine and our own threads have waited since the question.
    fn waited(&mut self) -> Duration {
        let Watch::From(engine, ours) = std::mem::take(&mut self.watch) else {
            return Duration::ZERO;
        };
        let (engine_now, ours_now) = self.waits(&descendants(self.child.id()));
        engine_now.since(&engine) + ours_now.since(&ours)
    }

    /// Asks for a move in as many lines as the protocol takes, and returns the answer with the time
    /// from the question on. An engine that is late is sent `stop`, if there is such a word, and has
    /// a grace more. One that is late because it had to wait for a processor is no culprit.
    pub(super) fn ask_for_move<T>(
        &mut self,
        question: &[String],
        limit: Option<Duration>,
        stop: Option<&str>,
        mut answer: impl FnMut(&mut Process, Deadline) -> Result<(Instant, T), Failure>,
    ) -> Result<(Duration, T), Failure> {
        let deadline = Deadline::after(self.timeouts.for_move(limit));
        self.watch = if limit.is_some() { Watch::Due } else { Watch::Off };
        self.said = 0;
        self.send(&question.join("\n"));
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
    pub(super) fn listen_to(&mut self, cancel: CancelToken) {
        self.cancel = cancel;
    }

    /// Forgets lines that were not asked for.
    pub(super) fn skip_pending(&self) {
        self.lines.clear();
    }

    /// What the log calls this process.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// From now on, the arena is as patient as that.
    pub(super) fn set_timeouts(&mut self, timeouts: Timeouts) {
        self.timeouts = timeouts;
    }

    /// How patient the arena is with this process.
    pub(super) fn timeouts(&self) -> Timeouts {
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
        self.input = None;
    }

    /// How the process ended, if it does within a time.
    pub(crate) fn exit_within(&mut self, time: Duration) -> Option<String> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Ends a process that does not deserve politeness.
    pub(super) fn kill(mut self) {
        self.end();
    }

    /// Ends the engine and all that it has started.
    #[cfg(unix)]
    fn end(&mut self) {
        if self.is_running() {
            supervisor::ask_to_end(self.child.id());
            if self.exit_within(ENDING).is_none() {
                log::warn!("{} cannot be ended", self.label);
            }
        }
        self.close();
    }

    #[cfg(not(unix))]
    fn end(&mut self) {
        self.close();
    }

    fn close(&mut self) {
        self.input = None;
        self.lines.abandon();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.is_running() {
            self.send(self.farewell);
            // The end of its input and of its output ask it to leave as well.
            self.input = None;
            self.lines.abandon();
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
    pub(super) fn extended(self, wait: Duration) -> Deadline {
        Deadline { wait: self.wait + wait, ..self }
    }

    fn at(self) -> Instant {
        self.start + self.wait
    }
}

/// Reads lines until the end, or until nobody wants more. What is no text is left out, with a word
/// about the first of each kind and one at the end about the others.
fn read_output(output: impl Read, queue: &LineQueue, label: &str) {
    let mut lines = LineReader::new(BufReader::new(output));
    let mut too_long = LeftOut::new(label, "of more than 1 MiB");
    let mut not_text = LeftOut::new(label, "not in UTF-8");
    while let Ok(Some(line)) = lines.read() {
        let at = Instant::now();
        match line {
            Line::Text(text) => {
                log::debug!("{label} > {text:.LOGGED$}");
                if !queue.push(at, text) {
                    return;
                }
            }
            Line::TooLong => too_long.count(),
            Line::NotUtf8 => not_text.count(),
        }
    }
}

/// Lines that are not read.
struct LeftOut<'a> {
    label: &'a str,
    kind: &'static str,
    number: u64,
}

impl<'a> LeftOut<'a> {
    fn new(label: &'a str, kind: &'static str) -> LeftOut<'a> {
        LeftOut { label, kind, number: 0 }
    }

    fn count(&mut self) {
        self.number += 1;
        if self.number == 1 {
            log::warn!("{} wrote a line {}, ignored", self.label, self.kind);
        }
    }
}

impl Drop for LeftOut<'_> {
    fn drop(&mut self) {
        if self.number > 1 {
            let LeftOut { label, kind, number } = self;
            log::warn!("{label} wrote {number} lines {kind}, all ignored");
        }
    }
}

fn log_errors(errors: impl Read, label: &str, mut log: Option<EngineLog>) {
    let mut lines = LineReader::new(BufReader::new(errors));
    while let Ok(Some(line)) = lines.read() {
        let text = match &line {
            Line::Text(text) => text,
            Line::TooLong => "(a line of more than 1 MiB)",
            Line::NotUtf8 => "(a line not in UTF-8)",
        };
        log::debug!("{label} ! {text:.LOGGED$}");
        if let Some(log) = &mut log {
            log.add(text);
        }
    }
}

/// Adds the calling thread to those that serve an engine.
fn enlist(helpers: &Mutex<Vec<u32>>) {
    let mut helpers = helpers.lock().unwrap_or_else(PoisonError::into_inner);
    helpers.extend(this_thread());
}

fn write_input(mut input: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}
