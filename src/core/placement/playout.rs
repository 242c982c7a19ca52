//! Random games, for measuring the rules and for sampling.

use super::pipeline::Board;
use super::position::Position;
use crate::game::{Cell, ChangeListener as _, Color, EmptyCells, Move, MoveList, Outcome, below};
use crate::rules::{RuleTier, SquareRules};
use fastrand::Rng;
use std::sync::Arc;

/// Plays games to the end, each move drawn uniformly from the legal ones, from one starting
/// position. It keeps neither history nor key, but every move runs the pipeline of
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
    free: EmptyCells<{ Cell::LIMIT }>,
    moves: MoveList,
}

impl Playout {
    /// Prepares playouts from a position.
    pub fn new(position: &Position) -> Playout {
        let mut free = EmptyCells::default();
        position.board().for_each_empty(|cell| free.removed(cell, Color(0)));
        let board = position.board.clone();
        Playout {
            rules: Arc::clone(position.rules()),
            start: (board.clone(), free.clone()),
            board,
            free,
            moves: MoveList::new(),
        }
    }

    /// Plays one game from the starting position to its end and returns how it ended.
    pub fn run(&mut self, rng: &mut Rng) -> Outcome {
        self.run_with(rng, |_, _| ())
    }

    /// [`Playout::run`] that shows each move before it is played, and the game so far.
    pub fn run_with(&mut self, rng: &mut Rng, mut watch: impl FnMut(&Playout, Move)) -> Outcome {
        self.reset();
        if self.rules.tier() != RuleTier::Plain {
            return self.run_listed(rng, watch);
        }
        loop {
            if let Some(outcome) = self.board.state.outcome {
                return outcome;
            }
            let cell = if self.board.is_opening_limited(&self.rules) {
                self.draw_limited(rng)
            } else {
                self.free.draw(rng)
            };
            watch(self, Move::stone(cell));
            self.board.play_stone(&self.rules, &mut self.free, cell);
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
        self.free.copy_from(&self.start.1, self.board.squares.grid().cells());
    }

    /// Goes on with moves of every kind.
    fn run_listed(&mut self, rng: &mut Rng, mut watch: impl FnMut(&Playout, Move)) -> Outcome {
        loop {
            if let Some(outcome) = self.board.state.outcome {
                return outcome;
            }
            let mv = self.draw_listed(rng);
            watch(self, mv);
            self.board.play_variant(&self.rules, &mut self.free, mv);
        }
    }

    /// Draws among the legal moves, of which an open game has one.
    fn draw_listed(&mut self, rng: &mut Rng) -> Move {
        self.moves.clear();
        self.board.push_variant_moves(&self.rules, &mut self.moves);
        self.moves[below(rng, self.moves.len())]
    }

    /// Draws among the cells that the opening allows. The position is open, so there is one.
    #[cold]
    fn draw_limited(&self, rng: &mut Rng) -> Cell {
        if let Some(only) =
            self.rules.opening().only_cell(self.rules.grid(), self.board.state.stones)
        {
            return only;
        }
        loop {
            let cell = self.free.draw(rng);
            if self.board.is_open(&self.rules, cell) {
                return cell;
            }
        }
    }
}
