//! What patterns are worth.

use crate::rules::Ruleset;

/// The weights of an evaluation, in the units of [`Score`](crate::search::Score): 400 points are
/// odds of e to 1. Pairs are for the colour to move and for the other, in the view of each.
///
/// They were fitted by logistic regression to the results of positions without a threat to win
/// from games of the engine against itself.
#[derive(Debug)]
pub(super) struct Weights {
    /// What a [`Shape`](super::patterns::Shape) in one line adds to the worth of an empty cell.
    pub shapes: [[i16; 8]; 2],
    /// What a cell adds to that on which an open four, a four with a three or two threes can be
    /// made.
    pub urgencies: [[i16; 3]; 2],
    /// The worth of the move.
    pub tempo: i32,
    /// The worth of having a cell for an open four, for a four with a three, for two threes.
    pub attacks: [[i32; 3]; 2],
    /// What is added for an open four to be made if the other side has no capture to answer with.
    pub unanswered: i32,
}

/// For games in which captures win.
const CAPTURES: Weights = Weights {
    shapes: [[0, 1, 2, 11, 25, 108, 11, 0], [0, 1, 2, 14, 14, 81, 70, 0]],
    urgencies: [[-38, -44, 31], [49, -89, 40]],
    tempo: 130,
    attacks: [[940, 320, 0], [0, 110, 0]],
    unanswered: 1350,
};

/// For games that only lines win. From 95,000 positions of gomoku and gomoku-standard.
const LINES: Weights = Weights {
    shapes: [[0, 3, 12, 27, 73, 122, 616, 0], [0, 1, 9, 27, 53, 118, 159, 0]],
    urgencies: [[656, 671, -82], [132, 166, -44]],
    tempo: 150,
    attacks: [[600, 654, 72], [15, 160, 58]],
    unanswered: 600,
};

impl Weights {
    /// The weights that suit a ruleset.
    pub(super) fn of(rules: &Ruleset) -> &'static Weights {
        match rules.capture().and_then(|capture| capture.goal) {
            Some(_) => &CAPTURES,
            None => &LINES,
        }
    }
}
