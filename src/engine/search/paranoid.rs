//! Games of three or more sides as games of two: the side to move at the root against all others.
//!
//! The others are assumed to play as a team (paranoid search: Sturtevant and Korf 2000), so that alpha-beta applies
//! unchanged.

use super::{Coverage, Evaluator, MoveGenerator, Score, ThreatGenerator, Window};
use pentarch_core::game::{Change, Color, Key, Move, MoveList, Outcome, Position, Seat, Side};

/// A position in which the side to move at the root is side 0, and every other side is side 1.
#[derive(Clone, Debug)]
pub struct Paranoid<P> {
    inner: P,
    root: Side,
}

impl<P: Position> Paranoid<P> {
    /// Creates a position of the side to move against all others.
    pub fn new(inner: P) -> Paranoid<P> {
        let root = inner.side_of(inner.to_move());
        Paranoid { inner, root }
    }

    fn paranoid_side(&self, side: Side) -> Side {
        Side(u8::from(side != self.root))
    }
}

impl<P: Position> Position for Paranoid<P> {
    type Error = P::Error;

    fn to_move(&self) -> Seat {
        self.inner.to_move()
    }

    fn side_of(&self, seat: Seat) -> Side {
        self.paranoid_side(self.inner.side_of(seat))
    }

    fn color_to_move(&self) -> Color {
        self.inner.color_to_move()
    }

    fn ply(&self) -> u32 {
        self.inner.ply()
    }

    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.inner.outcome()?;
        Some(Outcome { winner: outcome.winner.map(|side| self.paranoid_side(side)), ..outcome })
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        self.inner.legal_moves(moves);
    }

    fn check(&self, mv: Move) -> Result<(), Self::Error> {
        self.inner.check(mv)
    }

    fn play(&mut self, mv: Move) {
        self.inner.play(mv);
    }

    fn undo(&mut self) -> Option<Move> {
        self.inner.undo()
    }

    // Scores depend on the root side, so it is a part of the key.
    fn key(&self) -> Key {
        let salt = (u64::from(self.root.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Key(self.inner.key().0 ^ salt)
    }

    fn changes(&self) -> &[Change] {
        self.inner.changes()
    }
}

/// The evaluator of a game for its [`Paranoid`] positions. Its values must be those of two sides: the side to move at
/// [`Evaluator::reset`] and all others together.
#[derive(Clone, Debug)]
pub struct ParanoidEvaluator<E>(pub E);

impl<P: Position, E: Evaluator<P>> Evaluator<Paranoid<P>> for ParanoidEvaluator<E> {
    fn reset(&mut self, position: &Paranoid<P>) {
        self.0.reset(&position.inner);
    }

    fn advance(&mut self, position: &Paranoid<P>) {
        self.0.advance(&position.inner);
    }

    fn retract(&mut self, position: &Paranoid<P>) {
        self.0.retract(&position.inner);
    }

    fn value(&mut self, position: &Paranoid<P>) -> Score {
        self.0.value(&position.inner)
    }

    fn range(&self, position: &Paranoid<P>) -> Window {
        let _ = position;
        Window::FULL
    }
}

/// The ordering counts as heuristic: it is trained on games in which every side plays for itself.
impl<P: Position, E: MoveGenerator<P>> MoveGenerator<Paranoid<P>> for ParanoidEvaluator<E> {
    fn winning_move(&self, position: &Paranoid<P>) -> Option<Move> {
        self.0.winning_move(&position.inner)
    }

    // Only the root side is in check: the others do not threaten each other.
    fn defenses(&self, position: &Paranoid<P>, moves: &mut MoveList) -> Option<Coverage> {
        let is_root_side =
            position.paranoid_side(position.inner.side_of(position.inner.to_move())) == Side(0);
        if is_root_side { self.0.defenses(&position.inner, moves) } else { None }
    }

    fn remaining_defenses(&self, position: &Paranoid<P>, moves: &mut MoveList) {
        self.0.remaining_defenses(&position.inner, moves);
    }

    fn has_more_moves_than(&self, position: &Paranoid<P>, count: usize) -> bool {
        self.0.has_more_moves_than(&position.inner, count)
    }

    fn tactical_moves(&self, position: &Paranoid<P>, moves: &mut MoveList) {
        self.0.tactical_moves(&position.inner, moves);
    }

    fn candidates(&self, position: &Paranoid<P>, moves: &mut MoveList) -> Coverage {
        self.0.candidates(&position.inner, moves)
    }

    fn ordering_score(&self, position: &Paranoid<P>, mv: Move) -> i32 {
        self.0.ordering_score(&position.inner, mv)
    }

    fn is_quiet(&self, position: &Paranoid<P>, mv: Move) -> bool {
        self.0.is_quiet(&position.inner, mv)
    }

    fn distinguishes_quiet_moves(&self) -> bool {
        self.0.distinguishes_quiet_moves()
    }
}

impl<P: Position, E: ThreatGenerator<P>> ThreatGenerator<Paranoid<P>> for ParanoidEvaluator<E> {}
