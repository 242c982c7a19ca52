//! A conversation: lines in, answers out, and a search that never holds it up.
//!
//! A reader thread and the search send events on one channel; `Session::run` is its only
//! consumer and the only writer. Nothing that comes down a pipe may panic.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod gomocup;
mod gtp;
mod output;
mod reader;
mod state;
mod ugi;

pub use state::Preferences;

use output::Output;
use pentarch_protocol::Dialect;
use pentarch_protocol::frame::Line;
use pentarch_protocol::ugi::Flavor;
use reader::Input;
use state::{JobResult, SessionState};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

/// What may happen to a session.
#[derive(Debug)]
enum Event {
    /// A line came in.
    Line(Line),
    /// No more lines will come.
    End,
    /// The search has something to say.
    Report(Box<crate::search::Report>),
    /// The job under way is done.
    JobEnded(JobResult),
}

/// What one dialect makes of events. It writes its answers itself, each in one piece.
trait Adapter {
    /// Whether lines may be handed over while a job is running; if not, they wait.
    fn reads_while_busy(&self) -> bool;

    /// Takes a line that must not wait, such as an interrupt; true if it was one.
    fn interrupt(&mut self, line: &Line, state: &mut SessionState) -> bool {
        let _ = (line, state);
        false
    }

    /// Says that a line waits for the end of the job.
    fn lines_wait(&mut self, state: &mut SessionState) {
        let _ = state;
    }

    /// When there is something to say even if nothing happens before.
    fn wakes_at(&self) -> Option<Instant> {
        None
    }

    /// The time of [`Adapter::wakes_at`] has come.
    fn wake(&mut self, state: &SessionState, out: &mut Output) -> io::Result<()> {
        let _ = (state, out);
        Ok(())
    }

    /// Takes a line.
    fn line(&mut self, line: Line, state: &mut SessionState, out: &mut Output) -> io::Result<Flow>;

    /// Takes a progress report.
    fn report(
        &mut self,
        report: &crate::search::Report,
        state: &SessionState,
        out: &mut Output,
    ) -> io::Result<()>;

    /// Takes the end of a job.
    fn job_ended(
        &mut self,
        job: JobResult,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()>;
}

/// Whether a conversation goes on after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

/// Holds a conversation until `quit` or the end of input.
///
/// Without a dialect the first line that is not empty chooses it.
///
/// # Errors
/// Writing failed; a closed output is [`io::ErrorKind::BrokenPipe`].
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
    dialect: Option<Dialect>,
    preferences: Preferences,
) -> io::Result<()> {
    let (sender, events) = channel();
    let input = Input::start(input, sender.clone());
    let state = SessionState::new(preferences.clone(), sender);
    let mut session = Session {
        state,
        output: Output::new(output),
        adapter: dialect.map(|dialect| adapter(dialect, &preferences)),
        waiting: VecDeque::new(),
        closing: false,
        preferences,
    };
    session.run(&events, &input)
}

fn adapter(dialect: Dialect, preferences: &Preferences) -> Box<dyn Adapter> {
    match dialect {
        Dialect::Ugi => Box::new(ugi::Ugi::new(Flavor::Ugi)),
        Dialect::Uci => Box::new(ugi::Ugi::new(Flavor::Uci)),
        Dialect::Gtp => Box::new(gtp::Gtp::new(preferences)),
        Dialect::Gomocup => Box::new(gomocup::Gomocup::new(preferences)),
    }
}

struct Session {
    state: SessionState,
    output: Output,
    adapter: Option<Box<dyn Adapter>>,
    waiting: VecDeque<Line>,
    closing: bool,
    preferences: Preferences,
}

impl Session {
    fn run(&mut self, events: &Receiver<Event>, input: &Input) -> io::Result<()> {
        loop {
            if self.closing && !self.state.is_busy() && self.waiting.is_empty() {
                return Ok(());
            }
            if !self.state.is_busy()
                && let Some(line) = self.waiting.pop_front()
            {
                input.release(&line);
                self.take_line(line)?;
                if self.closing {
                    self.state.stop_unless_bounded();
                }
                self.tell_of_waiting_lines();
                continue;
            }
            match self.next_event(events) {
                Ok(event) => self.take_event(event, input)?,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(adapter) = &mut self.adapter {
                        adapter.wake(&self.state, &mut self.output)?;
                    }
                }
                // The session holds a sender itself, so the channel cannot close.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// The next event, unless the adapter has something to say before.
    fn next_event(&self, events: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
        match self.adapter.as_ref().and_then(|adapter| adapter.wakes_at()) {
            Some(time) => events.recv_timeout(time.saturating_duration_since(Instant::now())),
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    fn tell_of_waiting_lines(&mut self) {
        if let Some(adapter) = &mut self.adapter
            && self.state.is_busy()
            && !self.waiting.is_empty()
        {
            adapter.lines_wait(&mut self.state);
        }
    }

    fn take_event(&mut self, event: Event, input: &Input) -> io::Result<()> {
        match event {
            Event::Line(line) => {
                if self.closing {
                    input.release(&line);
                    return Ok(());
                }
                let adapter = self.adapter.as_mut();
                let heard = adapter.is_some_and(|a| a.interrupt(&line, &mut self.state));
                let now = self.adapter.as_ref().is_none_or(|adapter| adapter.reads_while_busy());
                if heard {
                    input.release(&line);
                } else if now || !self.state.is_busy() && self.waiting.is_empty() {
                    input.release(&line);
                    self.take_line(line)?;
                } else {
                    self.waiting.push_back(line);
                    self.tell_of_waiting_lines();
                }
            }
            Event::End => self.close(),
            Event::Report(report) => {
                if let Some(adapter) = &mut self.adapter {
                    adapter.report(&report, &self.state, &mut self.output)?;
                }
            }
            Event::JobEnded(finished) => {
                self.state.clear_job();
                if let Some(adapter) = &mut self.adapter {
                    adapter.job_ended(finished, &mut self.state, &mut self.output)?;
                }
            }
        }
        Ok(())
    }

    fn take_line(&mut self, line: Line) -> io::Result<()> {
        let Some(adapter) = &mut self.adapter else {
            let Line::Text(text) = &line else { return self.choose(Dialect::Gtp, line) };
            if text.trim().is_empty() {
                return Ok(());
            }
            return self.choose(Dialect::detect(text), line);
        };
        if adapter.line(line, &mut self.state, &mut self.output)? == Flow::Quit {
            self.waiting.clear();
            self.close();
        }
        Ok(())
    }

    /// Settles on a dialect, in which the line is then read.
    fn choose(&mut self, dialect: Dialect, line: Line) -> io::Result<()> {
        self.adapter = Some(adapter(dialect, &self.preferences));
        self.take_line(line)
    }

    /// Nothing more will be read: a bounded job may finish, an endless one is stopped. What is
    /// already waiting is still answered.
    fn close(&mut self) {
        self.closing = true;
        self.state.stop_unless_bounded();
    }
}
