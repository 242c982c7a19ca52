//! Games of three sides and more as games of two: one side, and all the others together.
//!
//! The others are taken to work against the one side as a team (the paranoid assumption of
//! Sturtevant and Korf 2000), so that alpha-beta and everything built on it serves unchanged.

use super::{Coverage, Evaluator, MoveGenerator, Score, ThreatGenerator, Window};
use pentarch_core::game::{Change, Color, Key, Move, MoveList, Outcome, Position, Seat, Side};

/// A position in which the side to move at the start is side 0, and everyone else side 1.
#[derive(Clone, Debug)]
pub struct Paranoid<P> {
    inner: P,
    root: Side,
}

impl<P: Position> Paranoid<P> {
    /// Takes the side to move of an open position against all the others.
    pub fn new(inner: P) -> Paranoid<P> {
        let root = inner.side_of(inner.to_move());
        Paranoid { inner, root }
    }

    fn camp(&self, side: Side) -> Side {
        Side(u8::from(side != self.root))
    }
}

impl<P: Position> Position for Paranoid<P> {
    type Error = P::Error;

    fn to_move(&self) -> Seat {
        self.inner.to_move()
    }

    fn side_of(&self, seat: Seat) -> Side {
        self.camp(self.inner.side_of(seat))
    }

    fn color_to_move(&self) -> Color {
        self.inner.color_to_move()
    }

    fn ply(&self) -> u32 {
        self.inner.ply()
    }

    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.inner.outcome()?;
        Some(Outcome { winner: outcome.winner.map(|side| self.camp(side)), ..outcome })
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

    /// The root side belongs to the key, because values are seen from its camp.
    fn key(&self) -> Key {
        let salt = (u64::from(self.root.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Key(self.inner.key().0 ^ salt)
    }

    fn changes(&self) -> &[Change] {
        self.inner.changes()
    }
}

/// The evaluator of the game itself, asked about [`Paranoid`] positions. Its values must be those of
/// the camps: high for the side to move at [`Evaluator::reset`] when that is to move, low when
/// another is.
#[derive(Clone, Debug)]
pub struct Camps<E>(pub E);

impl<P: Position, E: Evaluator<P>> Evaluator<Paranoid<P>> for Camps<E> {
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

/// That an order is fitted is not passed on: it is to the moves of sides that are each for themselves.
impl<P: Position, E: MoveGenerator<P>> MoveGenerator<Paranoid<P>> for Camps<E> {
    fn winning_move(&self, position: &Paranoid<P>) -> Option<Move> {
        self.0.winning_move(&position.inner)
    }

    /// Only the root side answers threats: the others are partners, and none threatens another.
    fn defenses(&self, position: &Paranoid<P>, moves: &mut MoveList) -> Option<Coverage> {
        let alone = position.camp(position.inner.side_of(position.inner.to_move())) == Side(0);
        if alone { self.0.defenses(&position.inner, moves) } else { None }
    }

    fn remaining_defenses(&self, position: &Paranoid<P>, moves: &mut MoveList) {
        self.0.remaining_defenses(&position.inner, moves);
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

    fn knows_quiet_moves(&self) -> bool {
        self.0.knows_quiet_moves()
    }
}

impl<P: Position, E: ThreatGenerator<P>> ThreatGenerator<Paranoid<P>> for Camps<E> {}
