//! How the points of each family's evaluation translate to [`Score`].
//!
//! Weights are fitted, or chosen by hand, family by family, each in points of its own. How well these points
//! predict results was measured in games of the engine against itself, with `cargo bench --bench
//! calibration`: a logistic regression of the results on the values of short searches gives the factors here.
//! With them a value predicts the result as [`Score::win_probability`] says in every game, and the margins of
//! the search mean the same everywhere.

use crate::search::Score;
use pentarch_core::game::{Key, mix};
use pentarch_core::rules::RuleTier;
use pentarch_core::rules::{HexBoardRules, SquareRules};

/// The factor from a family's points to [`Score`], in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ValueScale(i32);

impl ValueScale {
    /// Games won by lines alone, and the odds of three and more sides, which need no factor.
    const LINES: ValueScale = ValueScale(100);
    /// Games of plain stones in which captures win. At 2,000 nodes a move this scale won 113 of 200 games of
    /// `pro-pente` and 52 of 100 of `keryo-pente` against the weights as fitted.
    const CAPTURES: ValueScale = ValueScale(170);
    /// The same weights where captures follow other rules or there are special stones.
    const CAPTURE_VARIANTS: ValueScale = ValueScale(130);
    /// Two sides of two colors each: the weights for more than two colors are fitted at 250 percent.
    const TEAMS: ValueScale = ValueScale(40);
    /// Windows of five cells, and groups in atari. Scored 49 of 100 games at 2,000 nodes a move.
    const PENTALATH: ValueScale = ValueScale(400);
    /// Windows of four cells. Scored 96 of 200 games.
    const YAVALATH: ValueScale = ValueScale(600);
    /// Fitted weights for games on hexagons, which are in quarters of a point.
    pub(super) const FITTED_HEXES: ValueScale = ValueScale(25);

    /// The scale of games of stones on squares.
    pub(super) fn of_stones(rules: &SquareRules) -> ValueScale {
        let captures_win = rules.capture().is_some_and(|capture| capture.goal.is_some());
        match () {
            () if rules.seating().teams => ValueScale::TEAMS,
            () if rules.seating().sides() > 2 => ValueScale::LINES,
            () if captures_win && rules.tier() <= RuleTier::SwapOpening => ValueScale::CAPTURES,
            () if captures_win => ValueScale::CAPTURE_VARIANTS,
            () => ValueScale::LINES,
        }
    }

    /// The scale of the hand-chosen scores of games on hexagons.
    pub(super) fn of_hexes(hexes: HexBoardRules) -> ValueScale {
        if hexes.surround { ValueScale::PENTALATH } else { ValueScale::YAVALATH }
    }

    pub(super) fn percent(self) -> i32 {
        self.0
    }

    /// The score of a number of points.
    #[inline]
    pub(super) fn score(self, points: i32) -> Score {
        Score::points(points * self.0 / 100)
    }
}

/// A disturbance of a value, from -8 to 8 points, so that games between equal engines differ. It depends on
/// the position and the seed alone; seed 0 disturbs nothing.
#[inline]
pub(super) fn noise(key: Key, seed: u64) -> i32 {
    if seed == 0 { 0 } else { (mix(key.0 ^ mix(seed)) % 17) as i32 - 8 }
}
