//! Questions to an engine, and the line among all it writes that answers them.

use super::fault::{Failure, Fault};
use super::process::{Deadline, Process};
use std::fmt::Display;
use std::time::{Duration, Instant};

impl Process {
    /// Sends a command and waits for its answer, as long as an engine may be silent. `answer` is given
    /// each line and says what it comes to, if it is the answer.
    pub(super) fn ask<T>(
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
    pub(super) fn ask_for_line<T>(
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
    pub(super) fn read_until<T>(
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
