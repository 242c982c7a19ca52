//! A conversation: lines in, answers out, and a search that never holds it up.
//!
//! A reader thread and the search send events on one channel; `Session::run` is its only
//! consumer and the only writer. Nothing that comes down a pipe may panic.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod dialects;
mod gomocup;
mod gtp;
mod output;
mod reader;
mod sidecar;
mod speaker;
mod state;
mod ugi;

pub use output::watch_standard_output;
pub use state::{Preferences, PresentAs};

use output::Output;
use pentarch_protocol::Dialect;
use pentarch_protocol::frame::Line;
use pentarch_protocol::ugi::Flavor;
use reader::Input;
use state::{JobResult, SessionState};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// What may happen to a session.
#[derive(Debug)]
enum Event {
    /// A line came in.
    Line(Line),
    /// No more lines will come.
    End,
    /// Nobody reads the answers any more.
    OutputClosed,
    /// The search has something to say.
    Report(Box<pentarch_engine::search::Report>),
    /// The job under way is done.
    JobEnded(JobResult),
}

/// What one dialect makes of events. It writes its answers itself, each in one piece.
trait Adapter {
    /// Whether a line may wait for those before it.
    fn urgency(&self, text: &str) -> Urgency;

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

    /// Takes a line, one of [`Urgency::Now`] perhaps while a job is under way.
    fn line(&mut self, line: Line, state: &mut SessionState, out: &mut Output) -> io::Result<Flow>;

    /// Takes a progress report.
    fn report(
        &mut self,
        report: &pentarch_engine::search::Report,
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

/// Whether a line may wait for those before it, and for the end of the job under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Urgency {
    /// It is taken when its turn comes.
    InTurn,
    /// It is about the job under way, and is taken at once.
    Now,
    /// The conversation is to end: it is taken when its turn comes, and every job until then is cut
    /// short.
    Quit,
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
    converse(input, output, dialect, preferences, |_| ())
}

/// [`run`] on standard input and output. A reader of the output that goes away ends everything at
/// once, even where nothing is about to be written.
///
/// # Errors
/// As those of [`run`].
pub fn run_on_standard_streams(
    dialect: Option<Dialect>,
    preferences: Preferences,
) -> io::Result<()> {
    converse(io::stdin(), io::stdout(), dialect, preferences, |events| {
        watch_standard_output(move || {
            let _ = events.send(Event::OutputClosed);
        });
    })
}

fn converse(
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
    dialect: Option<Dialect>,
    preferences: Preferences,
    watch_output: impl FnOnce(Sender<Event>),
) -> io::Result<()> {
    let (sender, events) = channel();
    let input = Input::start(input, sender.clone());
    watch_output(sender.clone());
    let state = SessionState::new(preferences.clone(), sender);
    let mut session = Session {
        state,
        output: Output::new(output),
        adapter: dialect.map(|dialect| adapter(dialect, &preferences)),
        waiting: VecDeque::new(),
        ending: Ending::Open,
        preferences,
    };
    session.run(&events, &input)
}

fn adapter(dialect: Dialect, preferences: &Preferences) -> Box<dyn Adapter> {
    match dialect {
        Dialect::Ugi => Box::new(ugi::Ugi::new(Flavor::Ugi, preferences)),
        Dialect::Uci => Box::new(ugi::Ugi::new(Flavor::Uci, preferences)),
        Dialect::Gtp => Box::new(gtp::Gtp::new(preferences)),
        Dialect::Gomocup => Box::new(gomocup::Gomocup::new(preferences)),
        Dialect::Sidecar => Box::new(sidecar::Sidecar::new(preferences)),
    }
}

struct Session {
    state: SessionState,
    output: Output,
    adapter: Option<Box<dyn Adapter>>,
    /// Lines whose turn has not come yet.
    waiting: VecDeque<Line>,
    ending: Ending,
    preferences: Preferences,
}

/// How a conversation is about to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// It is not.
    Open,
    /// No more lines come: jobs that end by themselves may do so, endless ones are stopped.
    AfterBoundedJobs,
    /// Somebody said `quit`: every job is cut short.
    Hurried,
}

impl Session {
    fn run(&mut self, events: &Receiver<Event>, input: &Input) -> io::Result<()> {
        loop {
            self.cut_jobs_short();
            if !self.state.is_busy() {
                if let Some(line) = self.waiting.pop_front() {
                    input.release(&line);
                    self.take_line(line)?;
                    self.tell_of_waiting_lines();
                    continue;
                }
                if self.ending != Ending::Open {
                    return Ok(());
                }
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

    /// Stops the job under way if the conversation is to end without it.
    fn cut_jobs_short(&self) {
        match self.ending {
            Ending::Open => (),
            Ending::AfterBoundedJobs => self.state.stop_unless_bounded(),
            Ending::Hurried => self.state.stop(),
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
            // What comes after `quit` is not read.
            Event::Line(line) if self.ending != Ending::Open => input.release(&line),
            Event::Line(line) => match self.urgency(&line) {
                Urgency::Now => {
                    input.release(&line);
                    self.take_line(line)?;
                }
                urgency => {
                    if urgency == Urgency::Quit {
                        self.ending = Ending::Hurried;
                    }
                    self.waiting.push_back(line);
                    self.tell_of_waiting_lines();
                }
            },
            Event::End if self.ending == Ending::Open => self.ending = Ending::AfterBoundedJobs,
            Event::End => (),
            Event::OutputClosed => return Err(io::ErrorKind::BrokenPipe.into()),
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

    fn urgency(&self, line: &Line) -> Urgency {
        match (line, &self.adapter) {
            (Line::Text(text), Some(adapter)) => adapter.urgency(text),
            _ => Urgency::InTurn,
        }
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
            self.ending = Ending::Hurried;
        }
        Ok(())
    }

    /// Settles on a dialect, in which the line is then read.
    fn choose(&mut self, dialect: Dialect, line: Line) -> io::Result<()> {
        self.adapter = Some(adapter(dialect, &self.preferences));
        self.take_line(line)
    }
}
