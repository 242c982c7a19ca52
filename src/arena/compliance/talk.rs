//! A conversation with the engine under test, kept for the report.

use super::Finding;
use crate::{ArenaError, CancelToken, Deadline, Failure, Launch, Process, Timeouts};
use std::fmt;
use std::time::{Duration, Instant};

/// A line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The client sent it.
    Sent(String),
    /// The engine wrote it.
    Heard(String),
}

/// A conversation with a running engine.
pub(super) struct Talk {
    process: Process,
    lines: Vec<Line>,
    timeouts: Timeouts,
    asked: String,
    error: Option<ArenaError>,
}

/// Lines of an exchange beyond this number are not kept: reports of a search can be long.
const KEPT: usize = 400;

impl Talk {
    /// Starts the engine, which leaves when it is sent the farewell.
    pub(super) fn start(
        launch: &Launch,
        farewell: &'static str,
        timeouts: Timeouts,
    ) -> Result<Talk, ArenaError> {
        let label = launch.text();
        let process = Process::start(launch, &label, farewell, timeouts, CancelToken::default())?;
        Ok(Talk { process, lines: Vec::new(), timeouts, asked: "start".to_owned(), error: None })
    }

    /// Sends a line.
    pub(super) fn say(&mut self, line: impl fmt::Display) {
        let line = line.to_string();
        self.process.send(&line);
        self.asked.clone_from(&line);
        self.keep(Line::Sent(line));
    }

    /// The next line that is not empty.
    pub(super) fn hear(&mut self) -> Result<String, Finding> {
        self.hear_within(self.timeouts.silence)
    }

    /// The next line that is not empty, if it comes soon enough.
    pub(super) fn hear_within(&mut self, time: Duration) -> Result<String, Finding> {
        loop {
            let line = self.raw_line(time)?;
            if !line.trim().is_empty() {
                return Ok(line);
            }
        }
    }

    /// The next line.
    pub(super) fn raw_line(&mut self, time: Duration) -> Result<String, Finding> {
        match self.process.read(&self.asked, Deadline::after(time)) {
            Ok((_, line)) => {
                self.keep(Line::Heard(line.clone()));
                Ok(line)
            }
            Err(Failure::Fault(fault)) => Err(Finding::Lost(fault.to_string())),
            Err(Failure::Ours(error)) => Err(self.fail(error)),
        }
    }

    /// All that comes within a time, during which the engine need not say anything.
    pub(super) fn listen(&mut self, time: Duration) -> Result<Vec<String>, Finding> {
        let until = Instant::now() + time;
        let mut heard = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(heard);
            }
            match self.process.read(&self.asked, Deadline::after(left)) {
                Ok((_, line)) => {
                    self.keep(Line::Heard(line.clone()));
                    heard.push(line);
                }
                Err(Failure::Fault(fault)) if fault.word() == "hang" => return Ok(heard),
                Err(Failure::Fault(fault)) => return Err(Finding::Lost(fault.to_string())),
                Err(Failure::Ours(error)) => return Err(self.fail(error)),
            }
        }
    }

    /// Whether the process ends within a time, its input closed before if asked for.
    pub(super) fn ends_within(&mut self, time: Duration, closed: bool) -> Result<(), Finding> {
        if closed {
            self.process.close_input();
        }
        match self.process.exit_within(time) {
            Some(_) => Ok(()),
            None => Err(Finding::Lost(format!("it still runs after {} ms", time.as_millis()))),
        }
    }

    /// Whether the engine is still there.
    pub(super) fn is_running(&mut self) -> bool {
        self.process.is_running()
    }

    /// What kept the engine from being started, if something did.
    pub(super) fn take_error(&mut self) -> Option<ArenaError> {
        self.error.take()
    }

    /// The exchange since the last call.
    pub(super) fn take_lines(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }

    /// Keeps our own error for the end of the step.
    fn fail(&mut self, error: ArenaError) -> Finding {
        let finding = Finding::Lost(error.to_string());
        self.error = Some(error);
        finding
    }

    fn keep(&mut self, line: Line) {
        if self.lines.len() < KEPT {
            self.lines.push(line);
        }
    }
}

/// `> line` or `< line`, long lines cut.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Sent(line) => write!(f, "> {line:.200}"),
            Line::Heard(line) => write!(f, "< {line:.200}"),
        }
    }
}
