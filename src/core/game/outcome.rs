//! How a game ends.

use super::Side;
use std::fmt;

/// The end of a game: who won, or nobody, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The side that won; none for a draw.
    pub winner: Option<Side>,
    /// What decided it.
    pub reason: Reason,
}

/// What ended a game by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
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
    pub const fn win(side: Side, reason: Reason) -> Outcome {
        Outcome { winner: Some(side), reason }
    }

    /// A game that nobody won.
    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// One word, as protocols and records print it.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Line => "line",
            Reason::Captures => "captures",
            Reason::FullBoard => "full-board",
            Reason::NoMove => "no-move",
            Reason::PlyCap => "ply-cap",
            Reason::ShortLine => "short-line",
            Reason::Levels => "levels",
        })
    }
}
