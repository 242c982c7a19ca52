//! Searches for a move.

use super::opening::OpeningAnswer;
use super::{CommandResult, Gomocup};
use crate::state::SessionState;
use pentarch_core::game::{Move, MoveKind};
use pentarch_engine::Game;
use pentarch_engine::search::{Limits, SearchResult};
use pentarch_protocol::gomocup::Response;
use std::time::Instant;

/// What the search under way is for.
pub(super) struct Pending {
    pub(super) started: Instant,
    /// The opening that it belongs to; none where one move is asked for.
    pub(super) opening: Option<OpeningAnswer>,
}

impl Gomocup {
    /// Starts to look for a move in a game, which becomes the session's.
    pub(super) fn think(&mut self, state: &mut SessionState, game: Game) -> CommandResult {
        if let Some(outcome) = game.outcome() {
            return Err(format!("the game is over: {}", outcome.reason).into());
        }
        let limits = self.limits(&game)?;
        state.set_game(game);
        state.think(limits, false)?;
        self.pending = Some(Pending { started: Instant::now(), opening: None });
        Ok(Vec::new())
    }

    /// The limits of a search for a move that is one point.
    pub(super) fn limits(&self, game: &Game) -> Result<Limits, String> {
        game.grid().ok_or("this game has no points to play on")?;
        let legal = game.legal_moves();
        let limits = self.settings.limits();
        if legal.iter().all(|mv| matches!(mv.kind(), MoveKind::Stone(_))) {
            return Ok(limits);
        }
        let is_point = |mv: &&Move| self.codec.point_of(game, **mv).is_some();
        let search_moves: Vec<_> = legal.iter().filter(is_point).copied().collect();
        if search_moves.is_empty() {
            return Err("no legal move is a point".into());
        }
        Ok(Limits { search_moves, ..limits })
    }

    /// Plays the move that was found and answers with it, or goes on with an opening.
    pub(super) fn moved(
        &mut self,
        pending: Pending,
        found: &SearchResult,
        state: &mut SessionState,
    ) -> CommandResult {
        self.settings.spend(pending.started.elapsed());
        let mv = found.best.ok_or("no move was found")?;
        state.game.play_move(mv)?;
        if let Some(opening) = pending.opening {
            return self.opened(opening, mv, state);
        }
        let grid = state.game.grid().ok_or("this game has no points")?;
        let stone = mv.cell().map(|cell| self.codec.point(grid, cell));
        Ok(vec![Response::Moves(stone.into_iter().collect())])
    }
}
