//! A session with the server of pente.org: each line asks for a move in a game that it holds itself.

use super::speaker::{self, Speaker};
use super::state::{Preferences, SessionState};
use crate::dialects::sidecar as dialect;
use pentarch_core::game::Move;
use pentarch_engine::search::{Limits, SearchResult};
use pentarch_engine::{Game, Options};
use pentarch_protocol::sidecar::{Command, Question, Response};
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

type Answer = speaker::Answer<Response>;

impl Sidecar {
    pub(super) fn new(preferences: &Preferences) -> Sidecar {
        Sidecar { move_time: preferences.move_time, pending: None }
    }

    fn question(&mut self, question: &Question, state: &mut SessionState) -> Answer {
        let level = dialect::level(question.level)?;
        let asked = dialect::game(question)?;
        let options = Options { level, ..state.engine.options().clone() };
        state.engine.set_options(options);
        state.set_game(asked.clone());
        self.think(Pending { asked, moves: Vec::new() }, state)
    }

    fn think(&mut self, pending: Pending, state: &mut SessionState) -> Answer {
        let limits = Limits::move_time(self.move_time);
        state.think(limits, false)?;
        self.pending = Some(pending);
        Ok(Vec::new())
    }
}

impl Speaker for Sidecar {
    type Command = Command;
    type Response = Response;
    const QUIT: Command = Command::Quit;

    fn obey(&mut self, command: Command, state: &mut SessionState) -> Answer {
        match command {
            Command::Move(question) => self.question(&question, state),
            Command::Quit => Ok(Vec::new()),
        }
    }

    fn refusal(&self, _: &str, reason: String) -> Response {
        Response::Error(reason)
    }

    /// Takes a stone, and looks for the next one of the same turn.
    fn found(&mut self, found: SearchResult, state: &mut SessionState) -> Answer {
        let Some(mut pending) = self.pending.take() else { return Ok(Vec::new()) };
        let mv = found.best.ok_or("no move was found")?;
        state.game.play_move(mv)?;
        pending.moves.push(mv);
        let goes_on = state.game.to_move() == pending.asked.to_move();
        if goes_on && state.game.outcome().is_none() {
            return self.think(pending, state);
        }
        let answer = dialect::answer(&pending.asked, &pending.moves);
        answer.map(|answer| vec![answer]).ok_or_else(|| "the move is no point".into())
    }
}
