//! Random games, for measuring the rules and for sampling.

use super::position::Position;
use super::state::Board;
use crate::game::{
    Cell, ChangeListener as _, Color, EmptyCells, Move, MoveKind, MoveList, Outcome, below,
};
use crate::rules::{RuleTier, SquareRules};
use fastrand::Rng;
use std::sync::Arc;

/// Plays random games from one starting position to their ends, each move drawn uniformly from the legal
/// ones. It keeps neither history nor key, but every move runs the pipeline of
/// [`Position::play`](crate::game::Position::play).
///
/// ```
/// use pentarch_core::placement::{Playout, Position};
/// let start = Position::new("gomoku".parse().unwrap());
/// let mut playout = Playout::new(&start);
/// let outcome = playout.run(&mut fastrand::Rng::with_seed(1));
/// assert!(playout.plies() >= 9 || outcome.winner.is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Playout {
    rules: Arc<SquareRules>,
    start: (Board, EmptyCells<{ Cell::LIMIT }>),
    board: Board,
    empty: EmptyCells<{ Cell::LIMIT }>,
    moves: MoveList,
}

impl Playout {
    /// Prepares playouts from a position.
    pub fn new(position: &Position) -> Playout {
        let mut empty = EmptyCells::default();
        position.board().for_each_empty(|cell| empty.removed(cell, Color(0)));
        let board = position.board.clone();
        Playout {
            rules: Arc::clone(position.rules()),
            start: (board.clone(), empty.clone()),
            board,
            empty,
            moves: MoveList::new(),
        }
    }

    /// Plays one game from the starting position to its end and returns how it ended.
    pub fn run(&mut self, rng: &mut Rng) -> Outcome {
        self.run_with(rng, |_, _| ())
    }

    /// [`Playout::run`] that calls `watch` with the game so far and each move before it is played.
    pub fn run_with(&mut self, rng: &mut Rng, watch: impl FnMut(&Playout, Move)) -> Outcome {
        self.reset();
        if self.rules.tier() == RuleTier::Plain {
            self.run_tier::<true>(rng, watch)
        } else {
            self.run_tier::<false>(rng, watch)
        }
    }

    /// Plays to the end. In plain games every empty point is a move, opening limits aside; in others the
    /// legal moves are listed.
    #[inline]
    fn run_tier<const PLAIN: bool>(
        &mut self,
        rng: &mut Rng,
        mut watch: impl FnMut(&Playout, Move),
    ) -> Outcome {
        loop {
            if let Some(outcome) = self.board.state.outcome {
                return outcome;
            }
            let kind = if !PLAIN {
                self.draw_listed(rng).kind()
            } else if self.board.is_opening_limited(&self.rules) {
                MoveKind::Stone(self.draw_limited(rng))
            } else {
                MoveKind::Stone(self.empty.draw(rng))
            };
            watch(self, kind.into());
            self.board.play_ply::<PLAIN, _>(&self.rules, &mut self.empty, kind);
        }
    }

    /// The length of the game so far, in plies from the start of the game.
    pub fn plies(&self) -> u32 {
        self.board.state.ply
    }

    /// The captured stones that count for a color.
    pub fn captures(&self, color: Color) -> u16 {
        self.board.state.counts[color.index() & 3]
    }

    fn reset(&mut self) {
        self.board.squares.copy_from(&self.start.0.squares);
        self.board.state = self.start.0.state;
        self.empty.copy_from(&self.start.1, self.board.squares.grid().cells());
    }

    /// Draws one of the legal moves. An open game has at least one.
    fn draw_listed(&mut self, rng: &mut Rng) -> Move {
        self.moves.clear();
        self.board.push_moves(&self.rules, &mut self.moves);
        self.moves[below(rng, self.moves.len())]
    }

    /// Draws one of the cells that the opening allows. An open game has at least one.
    #[cold]
    fn draw_limited(&self, rng: &mut Rng) -> Cell {
        if let Some(only) =
            self.rules.opening().only_cell(self.rules.grid(), self.board.state.stones)
        {
            return only;
        }
        loop {
            let cell = self.empty.draw(rng);
            if self.board.is_open(&self.rules, cell) {
                return cell;
            }
        }
    }
}
