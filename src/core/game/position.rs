//! The interface of a game in play: who plays, how a game ends, what a position can do, and perft.

use super::{Cell, Move, MoveList};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// A player, numbered from 0 in the order of play. Clocks and results belong to seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

/// A set of seats that win together, numbered from 0. Without teams every seat is its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side(pub u8);

/// A color of stones, numbered from 0 in the order of play. Rules speak of colors; a swap
/// opening may give a color to another [`Seat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Color(pub u8);

impl Seat {
    /// The number of the seat as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Side {
    /// The number of the side as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Color {
    /// The color number of neutral stones, which belong to no player.
    pub const NEUTRAL: Color = Color(4);
    /// The color number of power stones, which belong to no player.
    pub const POWER: Color = Color(5);

    /// The other color in a game of two colors.
    #[inline]
    pub const fn opponent(self) -> Color {
        Color(self.0 ^ 1)
    }

    /// The number of the color as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Seats are printed counted from 1.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// Sides are printed counted from 1.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// The result of a game and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The side that won, `None` for a draw.
    pub winner: Option<Side>,
    /// What ended the game.
    pub reason: EndReason,
}

/// What ended a game, by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// A winning line was made.
    Line,
    /// The capture goal was reached.
    Captures,
    /// No empty point is left.
    FullBoard,
    /// The player to move has no legal move.
    NoMove,
    /// The game reached the greatest number of plies that the ruleset allows.
    PlyCap,
    /// A losing row was made, one that is too short to win, in games with such a rule.
    ShortLine,
    /// All tiles are placed, and their levels are compared.
    Levels,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [EndReason; 7] = [
        EndReason::Line,
        EndReason::Captures,
        EndReason::FullBoard,
        EndReason::NoMove,
        EndReason::PlyCap,
        EndReason::ShortLine,
        EndReason::Levels,
    ];
}

impl Outcome {
    /// A win of a side.
    pub const fn win(side: Side, reason: EndReason) -> Outcome {
        Outcome { winner: Some(side), reason }
    }

    /// A draw.
    pub const fn draw(reason: EndReason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// One word, which protocols and records print.
impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndReason::Line => "line",
            EndReason::Captures => "captures",
            EndReason::FullBoard => "full-board",
            EndReason::NoMove => "no-move",
            EndReason::PlyCap => "ply-cap",
            EndReason::ShortLine => "short-line",
            EndReason::Levels => "levels",
        })
    }
}

/// A 64-bit hash of everything that decides how the game can continue, except the ply count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Key(pub u64);

/// A change of one cell by a ply. Contents are small numbers that each family defines; 0 is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The cell that changed.
    pub cell: Cell,
    /// The content before.
    pub before: u8,
    /// The content after.
    pub after: u8,
}

/// A game in play.
///
/// Laws, tested for every family: `undo` restores everything that `play` changed; `key` equals
/// the key of the same position reached in any other order or read from text; the position is
/// open exactly when it has a legal move; an error changes nothing.
pub trait Position: Clone + Send + Sync {
    /// Why a move is not legal: an [`IllegalReason`](super::IllegalReason) or a reason of this family.
    type Error: std::error::Error;

    /// The seat to move. After the end of the game, the seat that would be to move.
    fn to_move(&self) -> Seat;

    /// The side that `seat` belongs to.
    fn side_of(&self, seat: Seat) -> Side;

    /// The color of the stones that the seat to move places.
    fn color_to_move(&self) -> Color;

    /// The number of plies played, choices and passes included.
    fn ply(&self) -> u32;

    /// How the game ended, `None` while it is open.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move once, in an order that depends only on the position.
    fn legal_moves(&self, moves: &mut MoveList);

    /// Whether `mv` is legal, and if not, why.
    fn check(&self, mv: Move) -> Result<(), Self::Error>;

    /// Whether `mv` is legal.
    fn is_legal(&self, mv: Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Plays a legal move. An illegal one makes the position meaningless, and panics in debug builds.
    fn play(&mut self, mv: Move);

    /// Plays `mv` if it is legal. Otherwise returns the reason and leaves the position unchanged.
    fn try_play(&mut self, mv: Move) -> Result<(), Self::Error> {
        self.check(mv)?;
        self.play(mv);
        Ok(())
    }

    /// Takes back the last ply and returns its move, `None` at the start.
    fn undo(&mut self) -> Option<Move>;

    /// Passes the turn without a move, even where the rules do not allow it, for a search that asks what
    /// the other side threatens. `undo` takes it back. Returns whether it did; the default never does.
    fn null_move(&mut self) -> bool {
        false
    }

    /// The hash of the position.
    fn key(&self) -> Key;

    /// A guess of the key after a legal move, to prefetch an entry of a table. The default is the current
    /// key.
    fn key_after(&self, mv: Move) -> Key {
        let _ = mv;
        self.key()
    }

    /// The changes of the last ply in their order; empty at the start.
    fn changes(&self) -> &[Change];
}

/// The number of legal move sequences of exactly `depth` plies, the standard test of move generation.
/// A game that has ended has none.
///
/// Every last move is played and undone, so that the count tests `play` and `undo` as well.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    perft_until(position, depth, &AtomicBool::new(false)).unwrap_or_default()
}

/// [`perft`] that returns `None` soon after `stop` is set.
pub fn perft_until<P: Position>(position: &mut P, depth: u32, stop: &AtomicBool) -> Option<u64> {
    Counter { buffers: Vec::new(), stop }.count(position, depth)
}

/// Keeps move lists for reuse, so that nodes do not allocate.
struct Counter<'a> {
    buffers: Vec<MoveList>,
    stop: &'a AtomicBool,
}

impl Counter<'_> {
    fn count<P: Position>(&mut self, position: &mut P, depth: u32) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        if depth > 1 && self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut moves = self.buffers.pop().unwrap_or_default();
        moves.clear();
        position.legal_moves(&mut moves);
        let mut nodes = 0;
        for &mv in &moves {
            position.play(mv);
            let counted = self.count(position, depth - 1);
            position.undo();
            nodes += counted?;
        }
        self.buffers.push(moves);
        Some(nodes)
    }
}
