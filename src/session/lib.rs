//! Sessions of the engine on standard input and output, in all dialects.
//!
//! A reader thread and the search send events on one channel; `Session::run` is its only consumer and
//! the only writer, and never waits for a search. No input makes a session panic.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod codec {
    //! Conversion between the values of the protocols and those of the engine: one codec for each
    //! dialect, in both directions.
    //!
    //! The crate `pentarch-protocol` parses lines into values whose moves and positions are opaque
    //! words. A codec converts these to the engine's own - [`Game`](pentarch_engine::Game),
    //! [`Move`](pentarch_core::game::Move), [`Limits`](pentarch_engine::search::Limits),
    //! [`Report`](pentarch_engine::search::Report), [`Score`](pentarch_engine::search::Score) - and
    //! back. Sessions parse what a client prints and print what it parses; the arena and the compliance
    //! steps do the reverse with the same codec. A codec has no state and no behavior.

    pub mod gomocup;
    pub mod gtp;
    mod info_accumulator;
    pub mod sidecar;
    pub mod ugi;

    pub use info_accumulator::InfoAccumulator;
}
#[cfg(test)]
mod clock_table;
mod gomocup;
mod gtp;
mod line_protocol;
mod sidecar;
mod state;
mod streams;
mod ugi;

pub use state::{PresentAs, SessionConfig};
pub use streams::watch_standard_output;

use pentarch_engine::search::Report;
use pentarch_protocol::Dialect;
use pentarch_protocol::ugi::Flavor;
use state::{JobResult, SessionState};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;
use streams::{InputLine, InputThread, Output};

/// What a session reacts to.
#[derive(Debug)]
enum Event {
    /// A line was read.
    Line(InputLine),
    /// The input has ended.
    End,
    /// The reader of the output has closed it.
    OutputClosed,
    /// The search reports its progress.
    Report(Box<Report>),
    /// The running job has ended.
    JobEnded(JobResult),
}

/// The reactions of one dialect to events. It writes each response in one piece.
trait ProtocolHandler {
    /// Returns whether a line has to wait for earlier ones.
    fn priority(&self, line: &str) -> Priority;

    /// Called when a line waits for the end of the running job.
    fn line_waits(&mut self, state: &mut SessionState) {
        let _ = state;
    }

    /// Returns the time of the next call of [`ProtocolHandler::deadline_reached`] if no event occurs
    /// before.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Called at [`ProtocolHandler::deadline`].
    fn deadline_reached(&mut self, state: &SessionState, out: &mut Output) -> io::Result<()> {
        let _ = (state, out);
        Ok(())
    }

    /// Handles a line; while a job is running, only one of [`Priority::Immediate`].
    fn line(
        &mut self,
        line: InputLine,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<Flow>;

    /// Handles a progress report.
    fn report(&mut self, report: &Report, state: &SessionState, out: &mut Output)
    -> io::Result<()>;

    /// Handles the end of a job.
    fn job_ended(
        &mut self,
        job: JobResult,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()>;
}

/// Whether a line waits for earlier lines and for the end of the running job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Priority {
    /// It waits.
    Normal,
    /// It concerns the running job and is handled at once.
    Immediate,
    /// It ends the session: it waits, and every job before it is stopped.
    Quit,
}

/// Whether a session continues after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

/// Runs a session until `quit` or the end of the input.
///
/// Without a dialect the first line that is not empty selects it.
///
/// # Errors
/// Writing failed; a closed output is [`io::ErrorKind::BrokenPipe`].
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
    dialect: Option<Dialect>,
    config: SessionConfig,
) -> io::Result<()> {
    run_with_watch(input, output, dialect, config, |_| ())
}

/// Runs a session on standard input and output. It ends as soon as the output is closed, even if
/// nothing is to be written.
///
/// # Errors
/// Those of [`run`].
pub fn run_on_standard_streams(dialect: Option<Dialect>, config: SessionConfig) -> io::Result<()> {
    run_with_watch(io::stdin(), io::stdout(), dialect, config, |events| {
        watch_standard_output(move || {
            let _ = events.send(Event::OutputClosed);
        });
    })
}

fn run_with_watch(
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
    dialect: Option<Dialect>,
    config: SessionConfig,
    watch_output: impl FnOnce(Sender<Event>),
) -> io::Result<()> {
    let (sender, events) = channel();
    let input = InputThread::start(input, sender.clone());
    watch_output(sender.clone());
    let state = SessionState::new(config.clone(), sender);
    let mut session = Session {
        state,
        output: Output::new(output),
        handler: dialect.map(|dialect| new_handler(dialect, &config)),
        waiting: VecDeque::new(),
        ending: Ending::Open,
        config,
    };
    session.run(&events, &input)
}

fn new_handler(dialect: Dialect, config: &SessionConfig) -> Box<dyn ProtocolHandler> {
    match dialect {
        Dialect::Ugi => Box::new(ugi::UgiSession::new(Flavor::Ugi, config)),
        Dialect::Uci => Box::new(ugi::UgiSession::new(Flavor::Uci, config)),
        Dialect::Gtp => Box::new(gtp::GtpSession::new(config)),
        Dialect::Gomocup => Box::new(gomocup::GomocupSession::new(config)),
        Dialect::Sidecar => Box::new(sidecar::SidecarSession::new(config)),
    }
}

struct Session {
    state: SessionState,
    output: Output,
    /// `None` until the first line has selected the dialect.
    handler: Option<Box<dyn ProtocolHandler>>,
    /// Lines that wait for earlier ones or for the running job.
    waiting: VecDeque<InputLine>,
    ending: Ending,
    config: SessionConfig,
}

/// How a session is going to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// It is not going to end.
    Open,
    /// The input has ended: bounded jobs complete, unbounded ones are stopped.
    AfterBoundedJobs,
    /// The client has sent `quit`: every job is stopped.
    Stopping,
}

impl Session {
    fn run(&mut self, events: &Receiver<Event>, input: &InputThread) -> io::Result<()> {
        loop {
            match self.ending {
                Ending::Open => (),
                Ending::AfterBoundedJobs => self.state.stop_unless_bounded(),
                Ending::Stopping => self.state.stop(),
            }
            if !self.state.has_job() {
                if let Some(line) = self.waiting.pop_front() {
                    input.release(&line);
                    self.handle_line(line)?;
                    self.report_waiting_line();
                    continue;
                }
                if self.ending != Ending::Open {
                    return Ok(());
                }
            }
            match self.next_event(events) {
                Ok(event) => self.handle_event(event, input)?,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(handler) = &mut self.handler {
                        handler.deadline_reached(&self.state, &mut self.output)?;
                    }
                }
                // The session holds a sender itself, so the channel cannot close.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Waits for the next event, at most until the handler's deadline.
    fn next_event(&self, events: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
        match self.handler.as_ref().and_then(|handler| handler.deadline()) {
            Some(time) => events.recv_timeout(time.saturating_duration_since(Instant::now())),
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    fn report_waiting_line(&mut self) {
        if let Some(handler) = &mut self.handler
            && self.state.has_job()
            && !self.waiting.is_empty()
        {
            handler.line_waits(&mut self.state);
        }
    }

    fn handle_event(&mut self, event: Event, input: &InputThread) -> io::Result<()> {
        match event {
            // Lines after `quit` are ignored.
            Event::Line(line) if self.ending != Ending::Open => input.release(&line),
            Event::Line(line) => {
                let priority = match (&line, &self.handler) {
                    (Ok(text), Some(handler)) => handler.priority(text),
                    _ => Priority::Normal,
                };
                if priority == Priority::Immediate {
                    input.release(&line);
                    return self.handle_line(line);
                }
                if priority == Priority::Quit {
                    self.ending = Ending::Stopping;
                }
                self.waiting.push_back(line);
                self.report_waiting_line();
            }
            Event::End if self.ending == Ending::Open => self.ending = Ending::AfterBoundedJobs,
            Event::End => (),
            Event::OutputClosed => return Err(io::ErrorKind::BrokenPipe.into()),
            Event::Report(report) => {
                if let Some(handler) = &mut self.handler {
                    handler.report(&report, &self.state, &mut self.output)?;
                }
            }
            Event::JobEnded(result) => {
                self.state.clear_job();
                if let Some(handler) = &mut self.handler {
                    handler.job_ended(result, &mut self.state, &mut self.output)?;
                }
            }
        }
        Ok(())
    }

    /// Handles a line. The first one selects the dialect if the command line did not.
    fn handle_line(&mut self, line: InputLine) -> io::Result<()> {
        if self.handler.is_none() {
            let dialect = match &line {
                Ok(text) if text.trim().is_empty() => return Ok(()),
                Ok(text) => Dialect::detect(text),
                Err(_) => Dialect::Gtp,
            };
            self.handler = Some(new_handler(dialect, &self.config));
        }
        let Some(handler) = &mut self.handler else { return Ok(()) };
        if handler.line(line, &mut self.state, &mut self.output)? == Flow::Quit {
            self.waiting.clear();
            self.ending = Ending::Stopping;
        }
        Ok(())
    }
}
