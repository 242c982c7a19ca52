//! What spans and rings are worth: numbers fitted to games of the engine against itself, which `pentarch
//! train selfplay` plays and `pentarch train fit` fits to. The files `*.txt` say what made them.

use super::places::{MOST_TAKEN, MOVES, MOVES_IN_RINGS, VALUE_TERMS};
use super::tuples::CONTENTS;
use super::worth::Worth;
use pentarch_core::rules::HexRules;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

/// The numbers of an evaluation of games on hexagons between two sides. Values are in quarters of a
/// point of [`Score`](crate::search::Score), ordering scores in points of their own, 350 for odds of e
/// to 1.
#[derive(Clone, Debug)]
pub struct HexWeights {
    /// The games that they are for.
    game: HexGame,
    pub(super) values: Vec<i16>,
    pub(super) ordering: Vec<i16>,
    /// Worked out when first asked for.
    worth: OnceLock<Arc<Worth>>,
}

/// The games that share weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HexGame {
    /// Rows of five, and groups that are surrounded.
    Pentalath,
    /// Rows of four win, rows of three lose.
    Yavalath,
}

impl HexGame {
    pub(super) const ALL: [HexGame; 2] = [HexGame::Pentalath, HexGame::Yavalath];

    /// The game that rules are of, if there are weights for it: between two, on a board of any size.
    pub fn of(rules: &HexRules) -> Option<HexGame> {
        let hexes = rules.board();
        match (hexes.surround, hexes.line, hexes.losing_line) {
            _ if rules.seating().seats != 2 => None,
            (true, 5, None) => Some(HexGame::Pentalath),
            (false, 4, Some(3)) => Some(HexGame::Yavalath),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            HexGame::Pentalath => "pentalath",
            HexGame::Yavalath => "yavalath",
        }
    }
}

impl fmt::Display for HexGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

static PENTALATH: LazyLock<Arc<HexWeights>> =
    LazyLock::new(|| built_in(include_str!("pentalath.txt")));
static YAVALATH: LazyLock<Arc<HexWeights>> =
    LazyLock::new(|| built_in(include_str!("yavalath.txt")));

/// Weights that are part of this program; a test reads them all.
fn built_in(text: &str) -> Arc<HexWeights> {
    Arc::new(text.parse().expect("weights of this program"))
}

impl HexWeights {
    /// How many numbers there are for values, and for the order of moves.
    pub const COUNTS: [usize; 2] =
        [CONTENTS + VALUE_TERMS.len(), MOVES + MOVES_IN_RINGS + MOST_TAKEN + 1];

    /// Weights of those numbers, as many as in [`HexWeights::COUNTS`].
    pub fn new(game: HexGame, values: Vec<i16>, ordering: Vec<i16>) -> HexWeights {
        debug_assert_eq!([values.len(), ordering.len()], HexWeights::COUNTS);
        HexWeights { game, values, ordering, worth: OnceLock::new() }
    }

    /// The weights of this program for a game.
    pub fn built_in(game: HexGame) -> &'static Arc<HexWeights> {
        match game {
            HexGame::Pentalath => &PENTALATH,
            HexGame::Yavalath => &YAVALATH,
        }
    }

    /// The games that they are for.
    pub fn game(&self) -> HexGame {
        self.game
    }

    /// The numbers of values.
    pub fn values(&self) -> &[i16] {
        &self.values
    }

    /// The numbers of the order of moves.
    pub fn ordering(&self) -> &[i16] {
        &self.ordering
    }

    /// What tuples are worth by them.
    pub(super) fn worth(&self) -> &Arc<Worth> {
        self.worth.get_or_init(|| Arc::new(Worth::of_weights(self)))
    }
}
