//! A position and its evaluator, moved together.

use super::Evaluator;
use crate::game::{Key, Move, Outcome, Position};

/// The pair that a search walks with. It alone plays and takes back, so that the evaluator can
/// never be out of step.
#[derive(Clone, Debug)]
pub struct Tree<P, E> {
    position: P,
    evaluator: E,
}

impl<P: Position, E: Evaluator<P>> Tree<P, E> {
    /// Starts at a position.
    pub fn new(position: P, mut evaluator: E) -> Tree<P, E> {
        evaluator.reset(&position);
        Tree { position, evaluator }
    }

    /// The position.
    #[inline]
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The evaluator, which has seen every move.
    #[inline]
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.position.play(mv);
        self.evaluator.advance(&self.position);
    }

    /// Hands the turn on without a move, if the game can be looked at so; [`Tree::undo`] takes it
    /// back.
    pub fn skip_turn(&mut self) -> bool {
        let skipped = self.position.null_move();
        if skipped {
            self.evaluator.advance(&self.position);
        }
        skipped
    }

    /// Takes the last move back.
    #[inline]
    pub fn undo(&mut self) {
        self.evaluator.retract(&self.position);
        self.position.undo();
    }

    /// The key after a legal move, which is taken back. The evaluator is not told.
    pub fn key_after(&mut self, mv: Move) -> Key {
        self.position.play(mv);
        let key = self.position.key();
        self.position.undo();
        key
    }

    /// How the game stands after these moves, which are taken back. The evaluator is not told, which
    /// makes this cheap. None also if one of them is not legal.
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
}
