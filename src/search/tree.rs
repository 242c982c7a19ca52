//! A position and its evaluator, moved together.

use super::Evaluator;
use crate::game::{Move, Position};

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

    /// Takes the last move back.
    #[inline]
    pub fn undo(&mut self) {
        self.evaluator.retract(&self.position);
        self.position.undo();
    }
}
