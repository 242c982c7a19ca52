//! The one scale of values: what the points of each family's evaluation mean on it.
//!
//! Weights are fitted or chosen family by family, each in points of its own. How much these
//! foretell was measured in games of the engine against itself, by `cargo bench --bench
//! calibration`: a logistic regression of results on the values of short searches gives the factor
//! here. With it a value foretells results as [`Score::win_probability`] says, whatever the game,
//! and margins of the search mean the same everywhere.

use crate::search::Score;
use pentarch_core::rules::RuleTier;
use pentarch_core::rules::{HexBoardRules, SquareRules};

/// A family's points in hundredths of a point of [`Score`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scale(i32);

impl Scale {
    /// Fours and fives alone, and chances of three sides and more: on the scale as they are.
    const LINES: Scale = Scale(100);
    /// Captures that win, in games of nothing but stones. At 2,000 nodes a move this scale won 113
    /// of 200 games of `pro-pente` and 52 of 100 of `keryo-pente` against the weights as fitted.
    const CAPTURES: Scale = Scale(170);
    /// The same weights where captures follow other rules or special stones are played.
    const CAPTURE_VARIANTS: Scale = Scale(130);
    /// Two sides of two colors each: weights of many colors are stretched to 250 percent.
    const TEAMS: Scale = Scale(40);
    /// Rows of five and groups in atari: even, 49 of 100 games at 2,000 nodes a move.
    const PENTALATH: Scale = Scale(400);
    /// Rows of four and three: even, 96 of 200 games.
    const YAVALATH: Scale = Scale(600);
    /// Weights fitted to either, in quarters of a point.
    pub(super) const FITTED_HEXES: Scale = Scale(25);

    /// The scale of stones on squares.
    pub(super) fn of_stones(rules: &SquareRules) -> Scale {
        let captures_win = rules.capture().is_some_and(|capture| capture.goal.is_some());
        match () {
            () if rules.seating().teams => Scale::TEAMS,
            () if rules.seating().sides() > 2 => Scale::LINES,
            () if captures_win && rules.tier() <= RuleTier::SwapOpening => Scale::CAPTURES,
            () if captures_win => Scale::CAPTURE_VARIANTS,
            () => Scale::LINES,
        }
    }

    /// The scale of windows and groups on hexagons, by numbers that were chosen by hand.
    pub(super) fn of_hexes(hexes: HexBoardRules) -> Scale {
        if hexes.surround { Scale::PENTALATH } else { Scale::YAVALATH }
    }

    /// Hundredths of a point.
    pub(super) fn percent(self) -> i32 {
        self.0
    }

    /// The value of points.
    #[inline]
    pub(super) fn score(self, points: i32) -> Score {
        Score::points(points * self.0 / 100)
    }
}
