//! The interface of a game in play: who plays, how a game ends, what a position can do, and perft.

use super::{Cell, Move, MoveList};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// A place at the board, numbered from 0 in the order of play. Clocks and results belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

/// Those who win together, numbered from 0. Without teams every seat is its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side(pub u8);

/// A color of stones, numbered from 0 in the order of play. Rules speak of colors; a swap
/// opening may hand a color to another [`Seat`].
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
    /// What a neutral stone has in place of a color.
    pub const NEUTRAL: Color = Color(4);
    /// What a power stone has in place of a color.
    pub const POWER: Color = Color(5);

    /// The other color of a game for two.
    #[inline]
    pub const fn opponent(self) -> Color {
        Color(self.0 ^ 1)
    }

    /// The number of the color as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Seats are shown to people counted from 1.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// Sides are shown to people counted from 1.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// The end of a game: who won, or nobody, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The side that won; none for a draw.
    pub winner: Option<Side>,
    /// What decided it.
    pub reason: EndReason,
}

/// What ended a game by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// A winning line.
    Line,
    /// The goal of captured stones.
    Captures,
    /// No empty point is left.
    FullBoard,
    /// The player to move has no legal move.
    NoMove,
    /// The longest game that the ruleset allows.
    PlyCap,
    /// A row that is too short to win, which loses, in games that know one.
    ShortLine,
    /// The tiles of each color on each level, when all are placed.
    Levels,
}

impl Outcome {
    /// A win of `side`.
    pub const fn win(side: Side, reason: EndReason) -> Outcome {
        Outcome { winner: Some(side), reason }
    }

    /// A game that nobody won.
    pub const fn draw(reason: EndReason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// One word, as protocols and records print it.
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
    /// Why a move may not be played: an [`IllegalReason`](super::IllegalReason) move of any game, or what only this family refuses.
    type Error: std::error::Error;

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
    fn check(&self, mv: Move) -> Result<(), Self::Error>;

    /// Whether `mv` may be played.
    fn is_legal(&self, mv: Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Plays a legal move. Playing an illegal one is a programming error; the position is then
    /// meaningless, and debug builds panic.
    fn play(&mut self, mv: Move);

    /// Plays `mv` if it is legal, else leaves the position untouched and says why.
    fn try_play(&mut self, mv: Move) -> Result<(), Self::Error> {
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
    fn key_after(&self, mv: Move) -> Key {
        let _ = mv;
        self.key()
    }

    /// The cells that the last ply changed, in the order of change; empty at the start.
    fn changes(&self) -> &[Change];
}

/// The number of move sequences of exactly `depth` plies. A game that has ended has no children.
///
/// Every leaf is played and undone, so that the count exercises the whole of `play`.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    perft_until(position, depth, &AtomicBool::new(false)).unwrap_or_default()
}

/// [`perft`] that gives up soon after `stop` is raised.
pub fn perft_until<P: Position>(position: &mut P, depth: u32, stop: &AtomicBool) -> Option<u64> {
    Counter { buffers: Vec::new(), stop }.count(position, depth)
}

/// Keeps used move lists, so that a node costs no allocation.
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
