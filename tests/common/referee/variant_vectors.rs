//! Vectors that say more than [`super::vectors`] can: seats, choices, several colors, special
//! stones, legal and illegal next moves. Moves are in UGI letters.

use super::Kind;

/// A game, where it leads, and what may and may not be played then.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub name: &'static str,
    /// The variant, `NAME[+modifier...]`.
    pub spec: &'static str,
    /// Moves in UGI letters, separated by single spaces.
    pub moves: &'static str,
    /// Counted captured stones, by capturing color.
    pub captures: &'static [u16],
    pub result: Result,
    /// Some of the moves that are legal then.
    pub legal: &'static [&'static str],
    /// Some of those that are not.
    pub illegal: &'static [&'static str],
}

/// Where a game stands; seats and sides from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    /// Nobody has won yet; the seat to move.
    Open(usize),
    /// The side that has won.
    Won(usize, Kind),
    Draw(Kind),
}

/// The golden vectors of the rules, section 6, that are not games of two players with stones only.
pub const GOLDEN: &[Case] = &[
    Case {
        name: "golden: plus-minus, two off",
        spec: "plus-minus-pente",
        moves: "j10 k10 a1 l10 m10+ n10 l10 k10-",
        captures: &[0, 0],
        result: Result::Open(1),
        legal: &[],
        illegal: &[],
    },
    Case {
        name: "golden: plus-minus, two added",
        spec: "plus-minus-pente",
        moves: "j10 k10 a1 l10 m10+ n10 l10 k10+",
        captures: &[2, 2],
        result: Result::Open(1),
        legal: &[],
        illegal: &[],
    },
    Case {
        name: "golden: anti, a four with one completing point is legal",
        spec: "anti-pente+free",
        moves: "d5 c5 e5 h5 f5 h6 g5 a15 h7 p1",
        captures: &[0, 0],
        result: Result::Open(1),
        legal: &["h4"],
        illegal: &[],
    },
    Case {
        name: "golden: anti=any, it is not",
        spec: "pente+anti=any+free",
        moves: "d5 c5 e5 h5 f5 h6 g5 a15 h7 p1",
        captures: &[0, 0],
        result: Result::Open(1),
        legal: &[],
        illegal: &["h4"],
    },
    Case {
        name: "golden: swap, a capture in the stage",
        spec: "d-pente",
        moves: "k10 j10 l10 m10",
        captures: &[0, 2],
        result: Result::Open(2),
        legal: &["keep", "swap"],
        illegal: &["more", "a1"],
    },
];
