//! The values of patterns and the ordering scores of moves: numbers fitted to games of the engine
//! against itself.
//!
//! Values come from a logistic regression of what searches said of positions, mixed with how their
//! games ended; ordering scores from a multinomial one of the moves that searches chose. The
//! numbers stand in `weights/*.txt`, which say what they were fitted to. A line there is a key with
//! its numbers. `pentarch train` makes such files.

mod genre;
mod parameters;
mod text;

use super::shapes::Urgency;
pub use genre::Genre;
pub(super) use parameters::{OrderingPlace, ValuePlace};
use std::sync::{Arc, LazyLock};
pub use text::WeightsError;
pub(super) use text::{lines, short};

/// The weights of an evaluation. Values are in the units of [`Score`](crate::search::Score), in which
/// 400 points are odds of e to 1; of more than two colors 1,000 are, which whatever takes them makes up
/// for. Pairs are for the color to move and for the other, in the view of each.
#[derive(Clone, Debug)]
pub struct Weights {
    /// The games that they are for.
    pub(super) genre: Genre,
    /// By the shapes that a stone on an empty cell would make in its four lines, three bits each.
    cells: Vec<CellWeights>,
    /// By the most urgent cell of the color to move and of the other, and by who has captures:
    /// nobody, only the other, only the one to move, both. Where a turn has two stones, the first for
    /// both to come, the third for one.
    threats: [[[i16; 4]; Urgency::COUNT]; Urgency::COUNT],
    /// The value of each point that captures, by tenths of the way to the goal.
    pub(super) points: [[i16; 10]; 2],
    /// The value of captured stones, by tenths of the way to the goal.
    pub(super) counts: [[i16; 10]; 2],
    /// The value of each line of a cell on which a stone would attack a group.
    pub(super) capture_threat: [i16; 2],
    /// The value of each line of a cell on which a stone would expose a group of its own.
    pub(super) vulnerable: [i16; 2],
    /// The ordering score of a move beyond its shapes.
    pub(super) ordering: OrderingWeights,
}

/// The weights of a cell with the shapes of its four lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellWeights {
    /// For the color to move and for the other.
    pub value: [i16; 2],
    /// Of a move there, by what it makes and by what it keeps the other from making.
    pub ordering: [i16; 2],
}

/// Ordering scores of moves. Stones are counted as none, a pair, three,
/// more; lines up to three.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OrderingWeights {
    /// By the stones that the move captures.
    pub takes: [i16; 4],
    /// By the stones that the other would capture there.
    pub saves: [i16; 4],
    /// By lines on which the move attacks a group.
    pub attacks: [i16; 4],
    /// By lines on which it exposes one of its own.
    pub exposes: [i16; 4],
    /// By lines on which the other would attack a group from there.
    pub guards: [i16; 4],
    /// By lines on which the other would expose one there.
    pub spares: [i16; 4],
    /// By the urgency of the cell for the mover and for the other.
    pub urgency: [[i16; Urgency::COUNT]; Urgency::COUNT],
}

static CAPTURES: LazyLock<Arc<Weights>> = LazyLock::new(|| built_in(include_str!("captures.txt")));
static MANY: LazyLock<Arc<Weights>> = LazyLock::new(|| built_in(include_str!("many.txt")));
static DOUBLE_TURNS: LazyLock<Arc<Weights>> =
    LazyLock::new(|| built_in(include_str!("double_turns.txt")));
static LINES: LazyLock<Arc<Weights>> = LazyLock::new(|| built_in(include_str!("lines.txt")));
/// Those of lines: that colors differ is for the network to know.
static RENJU: LazyLock<Arc<Weights>> =
    LazyLock::new(|| Arc::new(Weights { genre: Genre::Renju, ..(**LINES).clone() }));

/// A table that is part of this program; a test reads them all.
fn built_in(text: &str) -> Arc<Weights> {
    Arc::new(text.parse().expect("a table of this program"))
}

impl Weights {
    /// Weights that know nothing.
    pub(super) fn zero(genre: Genre) -> Weights {
        Weights {
            genre,
            cells: vec![CellWeights::default(); 1 << 12],
            threats: Default::default(),
            points: Default::default(),
            counts: Default::default(),
            capture_threat: Default::default(),
            vulnerable: Default::default(),
            ordering: OrderingWeights::default(),
        }
    }

    /// The weights of this program for games of a genre.
    pub fn built_in(genre: Genre) -> &'static Arc<Weights> {
        match genre {
            Genre::Captures => &CAPTURES,
            Genre::Lines => &LINES,
            Genre::Renju => &RENJU,
            Genre::DoubleTurns => &DOUBLE_TURNS,
            Genre::Many => &MANY,
        }
    }

    /// The games that they are for.
    pub fn genre(&self) -> Genre {
        self.genre
    }

    /// The weights of a cell by the shapes of its lines, three bits each.
    pub(super) fn cell(&self, shapes: usize) -> CellWeights {
        self.cells.get(shapes).copied().unwrap_or_default()
    }

    /// The value for the color to move if these are the most urgent cells of both, and both have
    /// captures or not. The move itself has the value of nothing urgent and no captures.
    #[inline]
    pub(super) fn threat(&self, urgencies: [Urgency; 2], captures: [bool; 2]) -> i32 {
        let captures = usize::from(captures[0]) * 2 + usize::from(captures[1]);
        i32::from(self.threats[urgencies[0] as usize][urgencies[1] as usize][captures])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::shapes::Shape;

    #[test]
    fn tables_can_be_read_and_say_what_they_should() {
        for genre in Genre::ALL {
            let weights = Weights::built_in(genre);
            assert_eq!(weights.genre(), genre);
            let value = |shapes| weights.cell(shapes).value;
            assert_eq!(value(0), [0, 0], "a cell that makes nothing");
            let four = Shape::Four as usize;
            assert!(value(four)[0] > 0);
            assert_eq!(value(four), value(four << 9), "the order of lines does not matter");
            // Elsewhere such a win is at hand where values are asked for, or cells alone say so.
            if matches!(genre, Genre::Captures | Genre::Lines | Genre::Renju) {
                let quiet = [Urgency::Quiet; 2];
                let threat = weights.threat([Urgency::OpenFour, Urgency::Quiet], [false; 2]);
                assert!(threat > weights.threat(quiet, [false; 2]));
            }
        }
    }
}
