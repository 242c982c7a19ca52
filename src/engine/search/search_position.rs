//! A position and its evaluator, moved together.

use super::{Evaluator, MoveGenerator, Score, Window};
use pentarch_core::game::{Move, MoveList, Outcome, Position, Side};

/// The position that a search is at, with the evaluator that follows it.
///
/// Moves are made and taken back through this type alone, so that the evaluator always knows the position.
/// Callers ask the position for what the rules say and the evaluator for values and moves.
#[derive(Clone, Debug)]
pub struct SearchPosition<P, E> {
    /// The position. Do not play on it directly.
    pub position: P,
    /// The evaluator. It knows every move but one of [`SearchPosition::make_move`].
    pub evaluator: E,
    /// Whether the evaluator does not know the last move yet.
    evaluator_is_behind: bool,
    /// The number of moves made, with which tests compare the counted nodes.
    #[cfg(debug_assertions)]
    pub(super) plays: u64,
}

impl<P: Position, E: Evaluator<P>> SearchPosition<P, E> {
    /// Starts at a position.
    pub fn new(position: P, mut evaluator: E) -> SearchPosition<P, E> {
        evaluator.reset(&position);
        SearchPosition {
            position,
            evaluator,
            evaluator_is_behind: false,
            #[cfg(debug_assertions)]
            plays: 0,
        }
    }

    /// Plays a legal move and updates the evaluator.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.make_move(mv);
        self.update_evaluator();
    }

    /// Plays a legal move without updating the evaluator, which a node that the table cuts does not need.
    /// [`SearchPosition::update_evaluator`] must come before the next move. Until then the evaluator may only be
    /// asked for [`Evaluator::table_key`] and [`MoveGenerator::refutes`].
    #[inline]
    pub fn make_move(&mut self, mv: Move) {
        debug_assert!(!self.evaluator_is_behind, "the evaluator does not know the last move");
        self.position.play(mv);
        self.evaluator_is_behind = true;
        #[cfg(debug_assertions)]
        {
            self.plays += 1;
        }
    }

    /// Updates the evaluator after [`SearchPosition::make_move`], if that is still to be done.
    #[inline]
    pub fn update_evaluator(&mut self) {
        if self.evaluator_is_behind {
            self.evaluator.advance(&self.position);
            self.evaluator_is_behind = false;
        }
    }

    /// Makes a [null move](https://www.chessprogramming.org/Null_Move), which [`SearchPosition::undo`] takes
    /// back. Returns `false` if the game has none here.
    pub fn null_move(&mut self) -> bool {
        let passed = self.position.null_move();
        if passed {
            self.evaluator.advance(&self.position);
        }
        passed
    }

    /// Takes the last move back.
    #[inline]
    pub fn undo(&mut self) {
        if !std::mem::take(&mut self.evaluator_is_behind) {
            self.evaluator.retract(&self.position);
        }
        self.position.undo();
    }

    /// The outcome after some moves, without updating the evaluator. Returns `None` if the game is open then, or
    /// if one of the moves is illegal.
    pub fn outcome_after(&mut self, moves: &[Move]) -> Option<Outcome> {
        let mut played = 0;
        while let Some(&mv) = moves.get(played)
            && self.position.try_play(mv).is_ok()
        {
            played += 1;
        }
        let outcome = if played == moves.len() { self.position.outcome() } else { None };
        for _ in 0..played {
            self.position.undo();
        }
        outcome
    }

    /// The side of the seat to move.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.position.side_of(self.position.to_move())
    }

    /// The static value, or a bound of it that lies on the same side of the window.
    #[inline]
    pub fn value_within(&mut self, window: Window) -> Score {
        let bounds = self.evaluator.value_bounds(&self.position);
        match () {
            () if bounds.alpha >= window.beta => bounds.alpha,
            () if bounds.beta <= window.alpha => bounds.beta,
            () => self.evaluator.value(&self.position),
        }
    }
}

impl<P: Position, E: MoveGenerator<P>> SearchPosition<P, E> {
    /// Whether the opponent threatens to win with its next move. If so, adds every move that may prevent it, so
    /// that the position is lost if all of them lose.
    pub fn all_defenses(&self, moves: &mut MoveList) -> bool {
        let Some(coverage) = self.evaluator.defenses(&self.position, moves) else { return false };
        if !coverage.proves_loss() {
            let mut remaining = MoveList::new();
            self.evaluator.remaining_defenses(&self.position, &mut remaining);
            append_new(moves, remaining);
        }
        true
    }

    /// Adds every legal move that is worth more than a listed one, the
    /// [candidates](MoveGenerator::candidates) first.
    pub fn all_candidates(&self, moves: &mut MoveList) {
        if !self.evaluator.candidates(&self.position, moves).proves_loss() {
            let mut legal = MoveList::new();
            self.position.legal_moves(&mut legal);
            append_new(moves, legal);
        }
    }

    /// Whether the other side wins in its next turn after a legal move, or has won by that move.
    pub fn loses_at_once(&mut self, mv: Move) -> bool {
        let side = self.side_to_move();
        self.position.play(mv);
        let loses = match self.position.outcome() {
            Some(outcome) => outcome.winner.is_some_and(|winner| winner != side),
            None if self.side_to_move() == side => false,
            None => {
                self.evaluator.advance(&self.position);
                let wins = self.win_this_turn().is_some();
                self.evaluator.retract(&self.position);
                wins
            }
        };
        self.position.undo();
        loses
    }

    /// The first move of a win in this turn: at once, or with the next stone of a turn of several stones.
    pub fn win_this_turn(&mut self) -> Option<Move> {
        if let Some(mv) = self.evaluator.winning_move(&self.position) {
            return Some(mv);
        }
        let side = self.side_to_move();
        let mut moves = MoveList::new();
        self.evaluator.tactical_moves(&self.position, &mut moves);
        for mv in moves {
            self.position.play(mv);
            let is_open = self.position.outcome().is_none();
            let keeps_turn = self.side_to_move() == side;
            let mut wins = false;
            if is_open && keeps_turn {
                self.evaluator.advance(&self.position);
                wins = self.evaluator.winning_move(&self.position).is_some();
                self.evaluator.retract(&self.position);
            }
            self.position.undo();
            if wins {
                return Some(mv);
            }
            if is_open && !keeps_turn {
                break;
            }
        }
        None
    }
}

/// Appends the moves that are not in the list yet.
fn append_new(moves: &mut MoveList, mut others: MoveList) {
    let mut listed = moves.clone();
    listed.sort_unstable();
    others.retain(|mv| listed.binary_search(mv).is_err());
    moves.append(&mut others);
}
