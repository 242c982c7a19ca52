//! Sessions of dialects whose commands and responses are one line each.

use super::state::{JobResult, SessionState};
use super::streams::{InputLine, Output};
use super::{Flow, Priority, ProtocolHandler};
use pentarch_engine::search::{Report, SearchResult};
use pentarch_protocol::SyntaxError;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::str::FromStr;

/// The responses to a command, or why it was not executed.
pub(super) type LineResult<R> = Result<Vec<R>, Box<dyn Error>>;

/// The commands of a dialect. Reading and writing lines, the end and error responses are those of
/// [`ProtocolHandler`], which is implemented for every line protocol.
pub(super) trait LineProtocol {
    /// A line from the client.
    type Command: FromStr<Err = SyntaxError> + PartialEq + 'static;
    /// A line to the client.
    type Response: Display;

    /// The command that ends the session. It is not passed to [`LineProtocol::execute`].
    const QUIT: Self::Command;
    /// The commands that concern the running job and are executed at once.
    const IMMEDIATE: &'static [Self::Command] = &[];

    /// Parses a line.
    fn parse(&self, line: &str) -> Result<Self::Command, SyntaxError> {
        line.parse()
    }

    /// Returns the text of a response.
    fn format(&self, response: &Self::Response) -> String {
        response.to_string()
    }

    /// Executes a command.
    fn execute(
        &mut self,
        command: Self::Command,
        state: &mut SessionState,
    ) -> LineResult<Self::Response>;

    /// Returns the response for an error.
    fn error(&self, message: String) -> Self::Response;

    /// Responds to a line that is not empty.
    fn respond(
        &mut self,
        _line: &str,
        command: Result<Self::Command, SyntaxError>,
        state: &mut SessionState,
    ) -> LineResult<Self::Response> {
        self.execute(command?, state)
    }

    /// Returns the responses to a report of a running search.
    fn search_report(&mut self, _report: &Report, _state: &SessionState) -> Vec<Self::Response> {
        Vec::new()
    }

    /// Responds to the end of a search.
    fn search_ended(
        &mut self,
        result: SearchResult,
        state: &mut SessionState,
    ) -> LineResult<Self::Response>;

    /// Returns the responses to the end of a perft, with the nodes of each depth from 1.
    fn perft_ended(&self, _nodes: &[u64]) -> Vec<Self::Response> {
        Vec::new()
    }

    /// Returns the responses to the end of a wait, which [`SessionState::start_wait`] started.
    fn wait_ended(&self, _state: &SessionState) -> Vec<Self::Response> {
        Vec::new()
    }
}

fn write<P: LineProtocol>(
    protocol: &P,
    result: LineResult<P::Response>,
    out: &mut Output,
) -> io::Result<()> {
    let responses = result.unwrap_or_else(|error| vec![protocol.error(error.to_string())]);
    responses.iter().try_for_each(|response| out.line(&protocol.format(response)))
}

impl<P: LineProtocol> ProtocolHandler for P {
    fn priority(&self, line: &str) -> Priority {
        match self.parse(line) {
            Ok(command) if command == P::QUIT => Priority::Quit,
            Ok(command) if P::IMMEDIATE.contains(&command) => Priority::Immediate,
            _ => Priority::Normal,
        }
    }

    fn line(
        &mut self,
        line: InputLine,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<Flow> {
        let result = match &line {
            Ok(text) if text.trim().is_empty() => return Ok(Flow::Continue),
            Ok(text) => match self.parse(text) {
                Ok(command) if command == P::QUIT => return Ok(Flow::Quit),
                command => self.respond(text, command, state),
            },
            Err(error) => Err((*error).into()),
        };
        write(self, result, out).map(|()| Flow::Continue)
    }

    fn report(
        &mut self,
        report: &Report,
        state: &SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        let responses = self.search_report(report, state);
        write(self, Ok(responses), out)
    }

    fn job_ended(
        &mut self,
        job: JobResult,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        let result = match job {
            JobResult::Search(result) => self.search_ended(result, state),
            JobResult::Perft(nodes) => Ok(self.perft_ended(&nodes)),
            JobResult::Wait => Ok(self.wait_ended(state)),
        };
        write(self, result, out)
    }
}
