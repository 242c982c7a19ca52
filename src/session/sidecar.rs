//! Sessions with the server of pente.org, each of whose lines contains a whole game.

use super::codec::sidecar as codec;
use super::line_protocol::{LineProtocol, LineResult};
use super::state::{SessionConfig, SessionState};
use pentarch_core::game::Move;
use pentarch_engine::search::{Limits, SearchResult};
use pentarch_engine::{Game, Options};
use pentarch_protocol::sidecar::{Command, Question, Response};
use std::time::Duration;

/// A session in the protocol of pente.org's server.
pub(super) struct SidecarSession {
    /// The time for one stone.
    move_time: Duration,
    pending: Option<PendingAnswer>,
}

/// An answer of which the search has found a part.
struct PendingAnswer {
    /// The game of the question.
    game: Game,
    /// The moves found so far.
    moves: Vec<Move>,
}

type CommandResult = LineResult<Response>;

impl SidecarSession {
    pub(super) fn new(config: &SessionConfig) -> SidecarSession {
        SidecarSession { move_time: config.move_time, pending: None }
    }

    fn question(&mut self, question: &Question, state: &mut SessionState) -> CommandResult {
        let level = codec::level(question.level)?;
        let game = codec::game(question)?;
        let options = Options { level, ..state.engine.options().clone() };
        state.engine.set_options(options);
        state.set_game(game.clone());
        self.search(PendingAnswer { game, moves: Vec::new() }, state)
    }

    fn search(&mut self, pending: PendingAnswer, state: &mut SessionState) -> CommandResult {
        let limits = Limits::move_time(self.move_time);
        state.start_search(limits, false)?;
        self.pending = Some(pending);
        Ok(Vec::new())
    }
}

impl LineProtocol for SidecarSession {
    type Command = Command;
    type Response = Response;
    const QUIT: Command = Command::Quit;

    fn execute(&mut self, command: Command, state: &mut SessionState) -> CommandResult {
        match command {
            Command::Move(question) => self.question(&question, state),
            Command::Quit => Ok(Vec::new()),
        }
    }

    fn error(&self, message: String) -> Response {
        Response::Error(message)
    }

    /// Plays the move that was found, and searches for the next one of the same turn.
    fn search_ended(&mut self, result: SearchResult, state: &mut SessionState) -> CommandResult {
        let Some(mut pending) = self.pending.take() else { return Ok(Vec::new()) };
        let mv = result.best.ok_or("no move was found")?;
        state.game.play_move(mv)?;
        pending.moves.push(mv);
        let same_turn = state.game.to_move() == pending.game.to_move();
        if same_turn && state.game.outcome().is_none() {
            return self.search(pending, state);
        }
        let answer = codec::answer(&pending.game, &pending.moves);
        answer.map(|answer| vec![answer]).ok_or_else(|| "the move is no point".into())
    }
}
