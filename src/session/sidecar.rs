//! A session with the server of pente.org: each line asks for a move in a game that it holds itself.

use super::output::Output;
use super::state::{JobResult, Preferences, SessionState};
use super::{Adapter, Flow, Urgency};
use crate::dialects::sidecar as dialect;
use crate::engine::{Game, Options};
use crate::game::Move;
use crate::search::{Limits, Report};
use pentarch_protocol::frame::Line;
use pentarch_protocol::sidecar::{Command, Question, Response};
use std::io;
use std::time::Duration;

/// Answers questions, each on its own.
pub(super) struct Sidecar {
    /// For a stone.
    move_time: Duration,
    pending: Option<Pending>,
}

/// A question that is being answered.
struct Pending {
    /// The game as it was asked about.
    asked: Game,
    /// The stones found so far.
    moves: Vec<Move>,
}

/// What a line comes to: an answer, later perhaps, or why there is none.
type Answer = Result<Option<Response>, String>;

impl Sidecar {
    pub(super) fn new(preferences: &Preferences) -> Sidecar {
        Sidecar { move_time: preferences.move_time, pending: None }
    }

    fn question(&mut self, question: &Question, state: &mut SessionState) -> Answer {
        let level = dialect::level(question.level).map_err(|error| error.to_string())?;
        let asked = dialect::game(question).map_err(|error| error.to_string())?;
        let options = Options { level, ..state.engine.options().clone() };
        state.engine.set_options(options);
        state.set_game(asked.clone());
        self.think(Pending { asked, moves: Vec::new() }, state)
    }

    fn think(&mut self, pending: Pending, state: &mut SessionState) -> Answer {
        let limits = Limits::move_time(self.move_time);
        state.think(limits, false).map_err(|error| error.to_string())?;
        self.pending = Some(pending);
        Ok(None)
    }

    /// Takes a stone, and looks for the next one of the same turn.
    fn found(&mut self, best: Option<Move>, state: &mut SessionState) -> Answer {
        let Some(mut pending) = self.pending.take() else { return Ok(None) };
        let mv = best.ok_or("no move was found")?;
        state.game.play_move(mv).map_err(|error| error.to_string())?;
        pending.moves.push(mv);
        let goes_on = state.game.to_move() == pending.asked.to_move();
        if goes_on && state.game.outcome().is_none() {
            return self.think(pending, state);
        }
        let answer = dialect::answer(&pending.asked, &pending.moves);
        answer.map(Some).ok_or_else(|| "the move is no point".to_owned())
    }
}

fn say(out: &mut Output, answer: Answer) -> io::Result<()> {
    match answer {
        Ok(None) => Ok(()),
        Ok(Some(response)) => out.line(&response),
        Err(error) => out.line(&Response::Error(error)),
    }
}

impl Adapter for Sidecar {
    fn urgency(&self, text: &str) -> Urgency {
        let quits = Command::parse(text) == Ok(Command::Quit);
        if quits { Urgency::Quit } else { Urgency::InTurn }
    }

    fn line(&mut self, line: Line, state: &mut SessionState, out: &mut Output) -> io::Result<Flow> {
        let command = match line.text() {
            Ok(text) if text.trim().is_empty() => return Ok(Flow::Continue),
            Ok(text) => Command::parse(text).map_err(|error| error.to_string()),
            Err(unread) => Err(unread.to_string()),
        };
        let answer = match command {
            Ok(Command::Quit) => return Ok(Flow::Quit),
            Ok(Command::Move(question)) => self.question(&question, state),
            Err(error) => Err(error),
        };
        say(out, answer).map(|()| Flow::Continue)
    }

    fn report(&mut self, _: &Report, _: &SessionState, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn job_ended(
        &mut self,
        job: JobResult,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        let JobResult::Search(found) = job else { return Ok(()) };
        let answer = self.found(found.best, state);
        say(out, answer)
    }
}
