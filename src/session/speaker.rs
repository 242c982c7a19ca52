//! What sessions have in common in dialects whose commands and responses are a line each.

use super::output::Output;
use super::state::{JobResult, SessionState};
use super::{Adapter, Flow, Urgency};
use pentarch_engine::search::{Report, SearchResult};
use pentarch_protocol::SyntaxError;
use pentarch_protocol::frame::Line;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::str::FromStr;

/// What a command comes to: responses to write, or why it is not obeyed.
pub(super) type Answer<R> = Result<Vec<R>, Box<dyn Error>>;

/// The meaning of a dialect's lines. Reading and writing them, the end, and errors are the
/// [`Adapter`]'s, which every speaker is.
pub(super) trait Speaker {
    /// A line from the client.
    type Command: FromStr<Err = SyntaxError> + PartialEq + 'static;
    /// A line to the client.
    type Response: Display;

    /// The command that ends the conversation. It is never handed to [`Speaker::obey`].
    const QUIT: Self::Command;
    /// The commands that are about the job under way, and are obeyed at once.
    const AT_ONCE: &'static [Self::Command] = &[];

    /// Reads a line.
    fn read(&self, line: &str) -> Result<Self::Command, SyntaxError> {
        line.parse()
    }

    /// Writes a line.
    fn write(&self, response: &Self::Response, out: &mut Output) -> io::Result<()> {
        out.line(response)
    }

    /// Obeys a command.
    fn obey(&mut self, command: Self::Command, state: &mut SessionState) -> Answer<Self::Response>;

    /// Says that a line is not obeyed; it is empty where nothing could be read, and after a search.
    fn refusal(&self, line: &str, reason: String) -> Self::Response;

    /// What is said of a line that is not empty.
    fn answer(
        &mut self,
        _line: &str,
        command: Result<Self::Command, SyntaxError>,
        state: &mut SessionState,
    ) -> Answer<Self::Response> {
        self.obey(command?, state)
    }

    /// What is said of a search that goes on.
    fn report(&self, _report: &Report, _state: &SessionState) -> Vec<Self::Response> {
        Vec::new()
    }

    /// What is said when a search ends.
    fn found(&mut self, found: SearchResult, state: &mut SessionState) -> Answer<Self::Response>;

    /// What is said when a perft ends.
    fn counted(&self, _nodes: &[u64]) -> Vec<Self::Response> {
        Vec::new()
    }
}

/// Writes what is to be said of a line.
fn say<S: Speaker>(
    speaker: &S,
    line: &str,
    answer: Answer<S::Response>,
    out: &mut Output,
) -> io::Result<()> {
    let responses = answer.unwrap_or_else(|error| vec![speaker.refusal(line, error.to_string())]);
    responses.iter().try_for_each(|response| speaker.write(response, out))
}

impl<S: Speaker> Adapter for S {
    fn urgency(&self, text: &str) -> Urgency {
        match self.read(text) {
            Ok(command) if command == S::QUIT => Urgency::Quit,
            Ok(command) if S::AT_ONCE.contains(&command) => Urgency::Now,
            _ => Urgency::InTurn,
        }
    }

    fn line(&mut self, line: Line, state: &mut SessionState, out: &mut Output) -> io::Result<Flow> {
        let (text, answer) = match line.text() {
            Ok(text) if text.trim().is_empty() => return Ok(Flow::Continue),
            Ok(text) => match self.read(text) {
                Ok(command) if command == S::QUIT => return Ok(Flow::Quit),
                command => (text, self.answer(text, command, state)),
            },
            Err(unread) => ("", Err(unread.into())),
        };
        say(self, text, answer, out).map(|()| Flow::Continue)
    }

    fn report(
        &mut self,
        report: &Report,
        state: &SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        say(self, "", Ok(Speaker::report(self, report, state)), out)
    }

    fn job_ended(
        &mut self,
        job: JobResult,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        let answer = match job {
            JobResult::Search(found) => self.found(found, state),
            JobResult::Perft(nodes) => Ok(self.counted(&nodes)),
        };
        say(self, "", answer, out)
    }
}
