//! The contract of a game in play.

use super::{Cell, Color, Move, MoveList, Outcome, Seat, Side};

/// A 64-bit hash of everything that decides how the game can go on, but for the ply count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Key(pub u64);

/// A cell that a ply changed. Contents are family-specific small numbers; 0 is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where.
    pub cell: Cell,
    /// What was there.
    pub before: u8,
    /// What is there now.
    pub after: u8,
}

/// A game in play.
///
/// Laws, tested for every family: `undo` restores everything that `play` changed; `key` equals
/// the key of the same position reached in any other order or read from text; the position is
/// open exactly when it has a legal move; an error changes nothing.
pub trait Position: Clone + Send + Sync {
    /// Why a move may not be played: an [`Illegal`](super::Illegal) move of any game, or what only this family refuses.
    type Illegal: std::error::Error;

    /// The seat whose move it is, or whose it would be after the end.
    fn to_move(&self) -> Seat;

    /// The side that `seat` belongs to.
    fn side_of(&self, seat: Seat) -> Side;

    /// The color that the seat to move places.
    fn color_to_move(&self) -> Color;

    /// How many plies were played before, choices and passes included.
    fn ply(&self) -> u32;

    /// How the game ended, or none while it is open.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move once, in an order that depends on the position alone.
    fn legal_moves(&self, moves: &mut MoveList);

    /// Whether `mv` may be played, and if not, why.
    fn check(&self, mv: Move) -> Result<(), Self::Illegal>;

    /// Whether `mv` may be played.
    fn is_legal(&self, mv: Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Plays a legal move. Playing an illegal one is a programming error; the position is then
    /// meaningless, and debug builds panic.
    fn play(&mut self, mv: Move);

    /// Plays `mv` if it is legal, else leaves the position untouched and says why.
    fn try_play(&mut self, mv: Move) -> Result<(), Self::Illegal> {
        self.check(mv)?;
        self.play(mv);
        Ok(())
    }

    /// Takes the last ply back, or says that there is none.
    fn undo(&mut self) -> Option<Move>;

    /// Hands the turn of an open position on without a move, whatever the rules say, for a search
    /// that asks what the other side threatens; `undo` takes it back. False, and nothing changed,
    /// where that makes no sense, by default everywhere.
    fn null_move(&mut self) -> bool {
        false
    }

    /// The hash of the position.
    fn key(&self) -> Key;

    /// What the key will most likely be after a legal move, told without playing it: for bringing near
    /// what a table knows. Without a guess it is the key of now.
    fn key_ahead(&self, mv: Move) -> Key {
        let _ = mv;
        self.key()
    }

    /// The cells that the last ply changed, in the order of change; empty at the start.
    fn changes(&self) -> &[Change];
}
